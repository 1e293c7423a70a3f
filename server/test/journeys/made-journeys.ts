// Journeys that are created but not started.
import type { Reply, TenantClient } from '../app.js';

export const code = (reply: Reply) => reply.body.errors[0]?.errorCode;
export const detail = (reply: Reply) => reply.body.errors[0]?.detail;
export const definition = { entry: { api: true }, steps: [{ id: 'end', type: 'exit' }] };

export function journeysOf(tenant: () => TenantClient) {
  async function make(body: Record<string, unknown> = {}, as = tenant()): Promise<string> {
    const {
      status,
      body: answer,
      text,
    } = await as.post('/v2/journeys', { name: 'A journey', type: 'trigger', ...body });
    if (status !== 200) throw new Error(text);
    return answer.data.journeyId;
  }

  async function makeFolder(name: string, as = tenant()): Promise<string> {
    return (await as.post('/v2/folders', { name })).body.data.directoryId;
  }

  async function names(query: string, as = tenant()): Promise<string[]> {
    const { status, body, text } = await as.get(`/v2/journeys?${query}`);
    if (status !== 200) throw new Error(text);
    return body.data.map((row: { name: string }) => row.name);
  }

  return { make, makeFolder, names };
}
