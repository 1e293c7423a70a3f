// What a person says when a client asks them about a plan. The protocol keeps no state, so the plan travels with the question, sealed under
// the key that all nodes share.
import type * as mcp from '@modelcontextprotocol/server';
import type { ServerContext } from '@modelcontextprotocol/server';
import { isObject } from '@rapport/contract';
import type { Caller } from '../../http/endpoint.js';
import type { Clock } from '../../lib/clock.js';
import type { SecretBox } from '../../lib/secret-box.js';
import type { Session } from './tool.js';

type Library = typeof mcp;

/** The only question. */
export const yesOrNo = {
  type: 'object' as const,
  properties: { agree: { type: 'boolean' as const, title: 'Yes, do it' } },
  required: ['agree'],
};

// As long as a plan serves.
const servesMs = 600_000;
const about = 'consent of an agent';

export class Consents {
  constructor(
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  seal(planId: string, { tenantId, accountId }: Caller): string {
    const until = this.clock.now().getTime() + servesMs;
    return this.box.seal(JSON.stringify({ planId, tenantId, accountId, until }), about).toString('base64url');
  }

  /** Throws if it is not ours, has expired, or belongs to another person. */
  open(state: string, { tenantId, accountId }: Caller): { planId: string } {
    const opened = JSON.parse(this.box.open(Buffer.from(state, 'base64url'), about).toString());
    if (opened.tenantId !== tenantId || opened.accountId !== accountId) throw new Error('of somebody else');
    if (opened.until < this.clock.now().getTime()) throw new Error('too old');
    return { planId: opened.planId };
  }
}

/** What the person said, for a client that can ask: clients of 2025 keep a connection for that, which we do not. */
export function consentIn(library: Library, { mcpReq }: ServerContext): Session['consent'] {
  const envelope: Record<string, unknown> = mcpReq.envelope ?? {};
  const capabilities = envelope[library.CLIENT_CAPABILITIES_META_KEY];
  const { elicitation } = isObject(capabilities) ? capabilities : {};
  const asksByForm = isObject(elicitation) && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
  if (!asksByForm) return undefined;
  const said = library.acceptedContent<{ agree?: unknown }>(mcpReq.inputResponses, 'consent');
  const planId =
    mcpReq.inputResponses?.consent === undefined ? undefined : mcpReq.requestState<{ planId: string }>()?.planId;
  return { planId, isGiven: said?.agree === true };
}
