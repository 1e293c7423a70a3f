// The built service and its demo, as an assistant sees them: the official client over HTTP and over standard input and output, in both revisions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, demoService } from '../../../scripts/evaluate/connect.js';
import { replay } from '../../../scripts/evaluate/replay.js';
import { tasks } from '../../../scripts/evaluate/tasks.js';
import { cleanUp, projectDir } from './service.js';

let demo: { url: string; token: string };
beforeAll(async () => {
  demo = await demoService();
});
afterAll(cleanUp);

describe.each(['http', 'stdio'] as const)('over %s', (over) => {
  it.each(['2025', '2026'] as const)('a client of %s lists, reads and is answered', async (revision) => {
    const client = await connect({ ...demo, over, revision });
    expect(client.getNegotiatedProtocolVersion()).toMatch(revision === '2026' ? /^2026-/ : /^2025-/);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(19);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('rapport://docs/audiences');
    const { contents } = await client.readResource({ uri: 'rapport://docs/audiences' });
    expect(contents).toHaveLength(1);
    const { prompts } = await client.listPrompts();
    expect(prompts).toHaveLength(3);
    await expect(client.callTool({ name: 'serach' })).rejects.toThrow('Nearest: search');
    await client.close();
  });

  it('leaves out what writes, if told', async () => {
    const client = await connect({ ...demo, over, readOnly: true });
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect(tools).toHaveLength(13);
    await client.close();
  });
});

it('answers twenty recorded questions with the facts of the demo, over both ways', async () => {
  expect(tasks).toHaveLength(20);
  for (const [over, revision] of [
    ['http', '2026'],
    ['stdio', '2025'],
  ] as const) {
    const client = await connect({ ...demo, over, revision });
    for (const task of tasks) expect((await replay(client, task)).wrong, `${over}: ${task.question}`).toEqual([]);
    await client.close();
  }
});

it('notices an answer that is wrong', async () => {
  const client = await connect({ ...demo, over: 'http' });
  const question = 'How many contacts are there?';
  const { wrong } = await replay(client, {
    ...{ question, calls: [{ tool: 'find_contacts' }] },
    facts: [
      ['1.total', 9],
      ['1.total', 8],
      ['1.items.email=nobody@example.com.contactId', '$missing'],
      ['1.nothing.at.all', 1],
    ],
  });
  expect(wrong).toEqual(['1.total is 9, not 8', '1.nothing.at.all is missing, not 1']);
  await client.close();
});

it('gives the answers that docs/agents.md prints', async () => {
  const page = readFileSync(join(projectDir, 'docs/agents.md'), 'utf8');
  const [, section = ''] = page.split('## Ten questions, and what the demo answers');
  const printed = section
    .split(/^\d+\. /m)
    .slice(1)
    .map(inOneLine);
  const client = await connect({ ...demo, over: 'http' });
  const said = [];
  for (const task of tasks) {
    if (task.answer === undefined) continue;
    const { answer } = await replay(client, task);
    const tools = [...new Set(task.calls.map(({ tool }) => `\`${tool}\``))].join(', ');
    said.push(inOneLine(`**${task.question}** ${answer} (${tools})`));
  }
  await client.close();
  expect(printed).toEqual(said);
  expect(said).toHaveLength(10);
});

const inOneLine = (text: string) => text.trim().replace(/\s+/g, ' ');
