// What a tenant knows about its people, from its own data: which properties exist, and which values they have.
import { Type } from 'typebox';
import { choice, type Params, paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { Count, Named, Words } from './schema.js';

const tag = 'Properties';

export const propertyOwners = ['contact', 'user', 'organization'] as const;
export type PropertyOwner = (typeof propertyOwners)[number];
const scalarTypes = ['text', 'number', 'boolean', 'time'] as const;
export const propertyTypes = [...scalarTypes, 'list'] as const;

const ScalarValue = (description: string) =>
  Type.Unknown({ shownAs: { type: ['string', 'number', 'boolean'] }, description });

export const Property = Named('Property', {
  key: Type.String(),
  types: Type.Array(Words(propertyTypes), {
    description:
      'The types of the values, most frequent first; empty if the sample has none. `time` is text that reads as a date or a point in time.',
  }),
  share: Type.Number({ minimum: 0, maximum: 1, description: 'How many of the sampled records have it.' }),
  examples: Type.Array(
    ScalarValue('A scalar, or an element of a list. Text of more than 200 characters is left out.'),
    {
      maxItems: 5,
      description: 'Up to five different values, the most frequent first.',
    },
  ),
});

const PropertyValueCount = Named('PropertyValueCount', {
  value: ScalarValue('As it is stored. Values of more than 200 characters are left out.'),
  count: Count('Records of the sample that have it.'),
});

const of = choice(propertyOwners, 'Whose properties; contacts by default.');

export const listProperties = route({
  id: 'listProperties',
  tag,
  method: 'GET',
  path: '/properties',
  versions: onlyV2,
  summary: 'List the properties that people have',
  description:
    'By key. For contacts, every key that one has ever had; for product users and organizations, those in the sample. Types, share and examples come from a random sample of up to 5,000 records, fewer if they are large.',
  query: { of, search, ...paging },
  snakeCase: true,
  data: Property,
  paged: true,
  errors: [],
  example: {
    query: { search: 'pl' },
    data: [{ key: 'plan', types: ['text'], share: 0.82, examples: ['free', 'pro', 'team'] }],
  },
});

export const listPropertyValues = route({
  id: 'listPropertyValues',
  tag,
  method: 'GET',
  path: '/properties/{key}/values',
  versions: onlyV2,
  summary: 'Suggest values of a property',
  description:
    'Most frequent first, at most 20, from a random sample of up to 5,000 records, fewer if they are large; for a list, each of its first 50 elements. With how many values of each type there are, and which values look alike. An unknown key gives none.',
  pathParams: { key: 'Key of the property.' },
  query: { of, search } satisfies Params,
  snakeCase: true,
  data: Named('PropertyValues', {
    values: Type.Array(PropertyValueCount, { maxItems: 20 }),
    types: Type.Array(
      Named('PropertyTypeCount', {
        type: Words(scalarTypes, '`time` is text that the operators on times can read.'),
        count: Count('Values of the sample that are of this type; a list counts with each of its elements.'),
        examples: Type.Array(ScalarValue('Text of more than 200 characters is left out.'), { maxItems: 3 }),
      }),
      { description: 'Most frequent first, whatever `search` says.' },
    ),
    lookAlikes: Type.Array(Type.Array(PropertyValueCount, { minItems: 2, maxItems: 10 }), {
      maxItems: 50,
      description:
        'Groups of values that differ only in case, in spaces or in their type, such as `Pro` and `pro`. For a filter each is a value of its own. Whatever `search` says.',
    }),
    sampled: Count('Records in the sample.'),
  }),
  paged: false,
  errors: [],
  example: {
    path: { key: 'plan' },
    query: { search: 'p' },
    data: {
      values: [
        { value: 'pro', count: 1840 },
        { value: 'Pro', count: 12 },
      ],
      types: [{ type: 'text', count: 4120, examples: ['free', 'pro', 'team'] }],
      lookAlikes: [
        [
          { value: 'pro', count: 1840 },
          { value: 'Pro', count: 12 },
        ],
      ],
      sampled: 5000,
    },
  },
});

export const propertyRoutes = [listProperties, listPropertyValues] as const;
