// `npm run rapport -- email push design.json`: creates or updates an email from a design that a program wrote, or that is kept in a repository.

import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { type Client, createClient } from '@rapport/client';
import {
  compileEmail,
  createEmail,
  type DataValue,
  getDefaultSender,
  type getEmail,
  listEmails,
  updateEmail,
} from '@rapport/contract';
import { readArguments } from '../arguments.js';
import { asCalled } from '../as-called.js';
import type { Call } from '../command.js';
import { Complaint } from '../complaint.js';
import { fromHere } from '../from-here.js';
import { complaintOf } from '../refusals.js';
import { findService } from '../service.js';
import { fileComplaint } from '../system-error.js';
import { exchangeTexts } from './texts.js';

const usage = `Usage: npm run rapport -- email push <design.json> [options]
       npm run rapport -- email texts <email> [options]

  push: compiles the design, says what is wrong with it, and saves it: in the email with that id or name, else in a new one.

  --id <email id>      the email to update
  --name <name>        its name; that of the file unless given
  --subject <text>     needed for a new email
  --from <address>     of a new email: the default sender of the workspace unless given
  --preheader <text>

  texts: writes the texts of the email with that id or name to a file for translators, or stores what came back.

  --language <tag>     such as de or pt-BR
  --out <file>         to write: JSON if it ends in .json, else XLIFF 2
  --in <file>          to read

  --url <address>      the service; RAPPORT_URL, else http://127.0.0.1:8080
  --token <token>      READ and WRITE; RAPPORT_TOKEN, else the demo token in DATA_DIR (./data)
  -h, --help

Ends with 0 when the email is saved, 1 when it is not.`;

const text = { type: 'string' } as const;
const shape = {
  usage,
  words: [{ oneOf: ['push', 'texts'] }, { missing: 'Name the file with the design, or the email.' }],
  options: {
    id: text,
    name: text,
    subject: text,
    from: text,
    preheader: text,
    language: text,
    out: text,
    in: text,
    url: text,
    token: text,
  },
} as const;
const doing = { refused: 'Nothing was saved.', needs: 'saving an email needs READ and WRITE' };

export async function runEmail({ args, env }: Call): Promise<number> {
  const read = readArguments(args, shape);
  if (!read) {
    console.log(asCalled(usage));
    return 0;
  }
  const { values, words } = read;
  if (words[0] === 'texts') return runTexts(values, words[1] ?? '', env);
  const file = fromHere(env, words[1] ?? '');
  const design = await readDesign(file);
  const { url, token } = await findService(values, env);
  const client = createClient({ baseUrl: url, token });
  try {
    if (!(await isSound(client, design))) throw new Complaint('Nothing was saved.');
    const name = values.name ?? basename(file, extname(file));
    const { subject, preheader, from } = values;
    const id = values.id ?? (await findByName(client, name));
    const fields = { design, subject, preheader, fromEmail: from === undefined ? undefined : { email: from } };
    const saved = id === undefined ? await create(client, name, fields) : await update(client, id, values.name, fields);
    console.log(`${id === undefined ? 'Created' : 'Updated'} "${saved.name}": ${saved.editorUrl}`);
    return 0;
  } catch (error) {
    throw complaintOf(error, url, doing);
  }
}

async function runTexts(values: Values, email: string, env: Call['env']): Promise<number> {
  const { url, token } = await findService(values, env);
  const client = createClient({ baseUrl: url, token });
  const file = (name: string | undefined) => (name === undefined ? undefined : fromHere(env, name));
  try {
    const id = isId.test(email) ? email : await findByName(client, email);
    if (id === undefined) throw new Complaint(`There is no email named "${email}".`);
    await exchangeTexts(client, { id, language: values.language, out: file(values.out), from: file(values.in) });
    return 0;
  } catch (error) {
    throw complaintOf(error, url, { refused: 'Nothing was stored.', needs: 'storing texts needs READ and WRITE' });
  }
}
type Values = Partial<Record<keyof (typeof shape)['options'], string>>;
const isId = /^[0-9a-f]{24}$/;

async function readDesign(file: string): Promise<unknown> {
  const content = await readFile(file, 'utf8').catch((error) => {
    throw fileComplaint(error, file, 'read') ?? error;
  });
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Complaint(`${file} is not JSON: ${(error as Error).message}`);
  }
}

/** Shows all problems. False: there is an error among them. */
async function isSound(client: Client, design: unknown): Promise<boolean> {
  const { problems } = (await client.call(compileEmail, { body: { design } })).data;
  for (const { severity, place, message } of problems) console.error(`${severity}: ${place}: ${message}`);
  return problems.every(({ severity }) => severity !== 'error');
}

async function findByName(client: Client, name: string): Promise<string | undefined> {
  for await (const row of client.rows(listEmails, { query: { search: name } })) if (row.name === name) return row.id;
  return undefined;
}

interface Fields {
  design: unknown;
  subject: string | undefined;
  preheader: string | undefined;
  fromEmail: { email: string } | undefined;
}
type Saved = DataValue<typeof getEmail>;

async function create(client: Client, name: string, fields: Fields): Promise<Saved> {
  const { subject, ...rest } = fields;
  const sender = fields.fromEmail ? undefined : (await client.call(getDefaultSender)).data;
  const fromEmail = fields.fromEmail ?? sender?.fromEmail;
  if (subject === undefined || !fromEmail)
    throw new Complaint(`There is no email named "${name}". To create it, give --subject and --from.`);
  const replyTo = sender?.replyTo ?? undefined;
  return (await client.call(createEmail, { body: { ...rest, name, subject, fromEmail, replyTo } })).data;
}

async function update(client: Client, id: string, name: string | undefined, fields: Fields): Promise<Saved> {
  return (await client.call(updateEmail, { params: { id }, body: { name, ...fields } })).data;
}
