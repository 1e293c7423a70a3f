// Messages through the service beside bare nodemailer, in turn, so that a busy moment of the machine hits both.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { postgresPids } from '../server/test/process/postgres-processes.js';
import { catchMails } from './catch-mails.js';
import { compare } from './measure.js';
import { childrenOf, cpuSecondsOf } from './processes.js';
import { makeKey } from './sender.js';

/**
 * @param {Awaited<ReturnType<typeof import('./sender.js').startSender>>} place
 * @param {(line: string) => void} say
 * @param {{ turns: number, each: number, connections: number, goal: number, what: (bytes: number) => string,
 *   warmUp: () => Promise<unknown>, round: (turn: number) => Promise<number>, also: () => string }} how `each`: messages of a round, which
 *   answers how many a second. `also` is said last.
 */
export async function besideMailer(place, say, { turns, each, connections, goal, what, warmUp, round, also }) {
  const { sink, service, dataDir } = place;
  const [mail] = await catchMails(place, 1);
  const bare = fork(fileURLToPath(new URL('bare-mailer.js', import.meta.url)));
  // The service gives every domain a key: both sign, with keys of the same size.
  bare.send({ url: sink.url, mail, connections, privateKey: makeKey() });
  await once(bare, 'message');
  const bareCount = Math.ceil(each / 2);
  const bareRound = async () => {
    bare.send({ count: bareCount });
    return (await once(bare, 'message'))[0].perSecond;
  };
  const costs = async () => [
    await cpuSecondsOf([bare.pid ?? 0]),
    await cpuSecondsOf([service.pid]),
    await cpuSecondsOf(await childrenOf(service.pid)),
    await cpuSecondsOf(await postgresPids(dataDir)),
  ];
  // The first ones warm both up.
  await bareRound();
  await warmUp();
  const before = await costs();
  /** @type {number[]} */ const limit = [];
  /** @type {number[]} */ const ours = [];
  for (let turn = 1; turn <= turns; turn++) {
    limit.push(await bareRound());
    ours.push(await round(turn));
  }
  const after = await costs();
  bare.disconnect();
  compare(say, what(mail?.raw.length ?? 0), ours, limit, 'bare nodemailer', goal);
  const [alone, main, rendering, database] = after.map((time, i) =>
    Math.round(((time - (before[i] ?? 0)) / (turns * (i === 0 ? bareCount : each))) * 1e6),
  );
  say(
    `processor time a message: bare ${alone} µs; service ${main} µs, rendering ${rendering} µs, database ${database} µs; ${also()}`,
  );
}
