// Bulk import: a file of contacts of any size, streamed.
import { onlyV2, route } from './route.js';
import { Acknowledgement, exampleAcknowledgement } from './transactions.js';

export const importContacts = route({
  id: 'importContacts',
  tag: 'Contacts',
  method: 'POST',
  path: '/contacts/import',
  versions: onlyV2,
  summary: 'Import a file of contacts',
  description:
    'Asynchronous: answers a transaction to poll, which tells `progress` and `counts`. Creates and updates, row by row, in ' +
    'the order of the file. `text/csv`: a header row with an `email` column; the other columns are properties, values are ' +
    'strings, and an empty cell leaves the property alone; `First Name` is taken for `first_name`. `application/x-ndjson`: one `{email, properties?}` a line. Any ' +
    'size, streamed, in UTF-8; a row has at most 1 MiB. A file that is broken is refused as a whole, and the answer names ' +
    'the line. A row that is wrong by itself ends FAILED; those rows are at `/exports/transactions/{transactionId}/errors`: ' +
    'of a CSV file with all its columns and `_error`, to be corrected and imported again; a column named `_error` is ignored.',
  consumes: {
    'text/csv': 'email,first_name,plan\nada@example.com,Ada,pro\nalan@example.com,Alan,\n',
    'application/x-ndjson':
      '{"email":"ada@example.com","properties":{"first_name":"Ada","seats":12}}\n{"email":"alan@example.com"}\n',
  },
  data: Acknowledgement,
  paged: false,
  errors: [],
  example: { data: exampleAcknowledgement },
});
