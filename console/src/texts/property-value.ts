// Values of properties, wherever they are shown.
export const t = {
  no: 'No',
  yes: 'Yes',
};
