// `npm run rapport -- sign-in-link <email>`: a link for a person who forgot the password, if no mail can be sent.

import { makeSignInLink } from '@rapport/server/operator';
import { misused, readArguments } from '../arguments.js';
import { asCalled } from '../as-called.js';
import type { Call, Run } from '../command.js';

const usage = `Usage: npm run rapport -- sign-in-link <email> [--remove-second-factor]

  Prints a link that signs this person in, once, within 24 hours. Anyone who has it is let in: hand it over as you would a
  password. Where they have a second factor they are asked for a code after it.

  --remove-second-factor  also takes the second factor and the recovery codes away, for somebody who lost both. Make sure
                          first that it is them who ask. They can add a new one on their own page, /oauth/account.

  The database is that of DATABASE_URL, else the embedded one under DATA_DIR (./data), and the link begins with BASE_URL,
  as for the service. The audit log of every workspace of theirs tells that the link was made.

Ends with 0 when there is a link, 1 when no one who can sign in has this address.`;

const shape = {
  usage,
  words: [{ missing: 'Name the email address of the person.' }],
  options: { 'remove-second-factor': { type: 'boolean' } },
} as const;

export interface Made {
  url: string;
  name: string;
  hasSecondFactor: boolean;
}
/** Makes the link on the data that `env` names; undefined if no one who can sign in has the address. */
type MakeLink = (
  env: NodeJS.ProcessEnv,
  wanted: { email: string; endsSecondFactor: boolean },
) => Promise<Made | undefined>;

export function signInLinkCommand(make: MakeLink): Run {
  return async ({ args, env }: Call) => {
    const given = readArguments(args, shape);
    if (!given) {
      console.log(asCalled(usage));
      return 0;
    }
    const [email = ''] = given.words;
    if (!email.includes('@')) throw misused(`"${email}" is not an email address.`, usage);
    const made = await make(env, { email, endsSecondFactor: given.values['remove-second-factor'] ?? false });
    if (!made) {
      console.error(
        `No one who can sign in has the address ${email}. Invite a new person first: POST /admin/tenants/{tenantId}/invitations.`,
      );
      return 1;
    }
    console.log(made.url);
    const second = made.hasSecondFactor ? ' They are asked for a code of their second factor after it.' : '';
    console.error(`Signs ${made.name} in, once, within 24 hours.${second}`);
    return 0;
  };
}

export const runSignInLink: Run = (call) => {
  // An exit, unlike a signal, takes a database that was started for this along.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  return signInLinkCommand(makeSignInLink)(call);
};
