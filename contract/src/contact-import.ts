// Bulk import: a file of contacts of any size, streamed.
import type { TextParam } from './params.js';
import { onlyV2, route } from './route.js';
import { Acknowledgement, exampleAcknowledgement } from './transactions.js';

const text = (description: string) =>
  ({ kind: 'text', emptyIsAbsent: true, repeatable: false, description }) as const satisfies TextParam;

export const importContacts = route({
  id: 'importContacts',
  tag: 'Contacts',
  method: 'POST',
  path: '/contacts/import',
  versions: onlyV2,
  summary: 'Import a file of contacts',
  description:
    'Asynchronous: returns a transaction to poll, which has `progress` and `counts`. Creates and updates, row by row, in ' +
    'the order of the file. `text/csv`: a header row with an `email` column; the other columns are properties, values are ' +
    'strings, and an empty cell leaves the property alone; `First Name` is read as `first_name`. A column `topic:<key>` says `yes`, `no` or nothing of a topic. `application/x-ndjson`: one `{email, properties?, topics?}` per line. An import does not resubscribe contacts that unsubscribed: `kept` counts those rows. Any ' +
    'size, streamed, in UTF-8; a row has at most 1 MiB. A file that is broken is refused as a whole, and the answer names ' +
    'the line. A row that is wrong by itself ends FAILED; those rows are at `/exports/transactions/{transactionId}/errors`: ' +
    'of a CSV file with all its columns and `_error`, to be corrected and imported again; a column named `_error` is ignored. ' +
    'With `?format=ndjson`, those of an NDJSON file are its lines with `_error` in front. Rows are counted as a spreadsheet ' +
    'counts them: the header is row 1.',
  query: {
    columns: text(
      'Of a CSV file: what each column is, in the order of the file and separated by commas: `email`, the key of a property, ' +
        'or nothing for one that is skipped. `seats:number` and `vip:boolean` make numbers and booleans of values that are such, `topic:news` is about a topic. ' +
        '`signed_up:date` takes dates and times such as `2026-04-03` or `2026-04-03T09:30:00Z` and nothing else: a row with another value ends FAILED. ' +
        '`list:<staticListId>` adds a contact to a static list where it says `yes`, and `suppress:reason` suppresses the address before anything else is applied: ' +
        '`unsubscribed`, `bounced`, `complained`, `manual` or nothing. Neither counts as a change of the contact. ' +
        'The header may then have any names, and one that is empty or there twice. Skipped cells are kept for the file of failed rows alone.',
    ),
    fileName: text('The name of the file, for the list of imports: at most 255 characters.'),
  },
  consumes: {
    'text/csv': 'email,first_name,plan\nada@example.com,Ada,pro\nalan@example.com,Alan,\n',
    'application/x-ndjson':
      '{"email":"ada@example.com","properties":{"first_name":"Ada","seats":12}}\n{"email":"alan@example.com"}\n',
  },
  data: Acknowledgement,
  paged: false,
  errors: [],
  example: { query: { fileName: 'people.csv' }, data: exampleAcknowledgement },
});
