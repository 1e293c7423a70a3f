import type { DataValue, listPeople } from '@rapport/contract';

export type Person = DataValue<typeof listPeople>;
