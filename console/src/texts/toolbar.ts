export const t = {
  clear: 'Clear filters',
};
