// Property values, wherever they are shown.
export const t = {
  no: 'No',
  yes: 'Yes',
};
