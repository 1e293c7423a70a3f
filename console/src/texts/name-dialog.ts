// The dialog that gives something another name.
export const t = {
  name: 'Name',
  nameWanted: 'Enter a name',
  save: 'Save',
};
