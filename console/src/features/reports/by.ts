// Whose opens and clicks a report shows.
const bys = ['people', 'machines'] as const;
export type By = (typeof bys)[number];

export const byOf = (text: string | undefined): By => (text === 'machines' ? 'machines' : 'people');
