import { expect, it } from 'vitest';
import { transport as t } from '../../../texts/settings-sending.ts';
import { bodyOf, fieldsOf, type MailServer, missingIn, withSecurity } from './server-fields.ts';

const server: MailServer = {
  ...{ smtpUrl: 'smtp://mailer:***@smtp.example.com:2525', host: 'smtp.example.com', port: 2525, security: 'starttls' },
  ...{ user: 'mailer', hasPassword: true, rate: 20, maxConnections: null, updatedAt: '2026-11-15T09:30:00.000Z' },
};

it('sends what was filled in, and no password where none was typed', () => {
  expect(bodyOf(fieldsOf(server))).toEqual({
    ...{ host: 'smtp.example.com', port: 2525, security: 'starttls', user: 'mailer', rate: 20 },
    maxConnections: undefined,
  });
  const typed = { ...fieldsOf(undefined), host: ' mail.example ', user: ' ', password: '' };
  expect(bodyOf(typed)).toMatchObject({ host: 'mail.example', port: 587, user: null });
  expect(bodyOf({ ...typed, user: 'me', password: ' p ' })).toMatchObject({ user: 'me', password: ' p ' });
});

it('follows the encryption with the port, unless another one was chosen', () => {
  expect(withSecurity({ port: 587, security: 'starttls' }, 'tls')).toEqual({ port: 465, security: 'tls' });
  expect(withSecurity({ port: '', security: 'tls' }, 'auto')).toEqual({ port: 587, security: 'auto' });
  expect(withSecurity({ port: 2525, security: 'starttls' }, 'tls')).toEqual({ port: 2525, security: 'tls' });
});

it('asks for the password again once it would go to another host or user', () => {
  expect(missingIn(fieldsOf(server), server)).toEqual({});
  expect(missingIn({ ...fieldsOf(server), host: 'other.example' }, server).password).toBe(t.enterPasswordAgain);
  expect(missingIn({ ...fieldsOf(server), user: 'other' }, server).password).toBe(t.enterPasswordAgain);
  expect(missingIn({ ...fieldsOf(undefined), host: 'a.example', user: 'me' }, undefined).password).toBe(
    t.enterPassword,
  );
  expect(missingIn({ ...fieldsOf(undefined), password: 'x' }, undefined)).toMatchObject({
    ...{ host: t.enterHost, user: t.enterUser },
  });
});
