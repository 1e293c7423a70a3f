// The answer to whoever tried too often.
import type { FastifyReply } from 'fastify';
import { html, sendPage } from '../../http/page.js';

/** @param seconds to wait, as `takeTry` says. */
export function tooManyTries(reply: FastifyReply, seconds: number): FastifyReply {
  const minutes = Math.ceil(seconds / 60);
  return sendPage(reply.header('retry-after', String(seconds)), 429, {
    title: 'Too many tries',
    body: html`<p>For everybody's safety, this can be tried only so often. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.</p>`,
  });
}
