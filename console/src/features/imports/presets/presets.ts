// Exports of other services, by their headers: what each column becomes, statuses first. Columns that a preset does not know are guessed as in
// any other file.
import { detectDates } from '../dates/date-format.ts';
import { inOneOrder } from '../mapping/mapping.ts';
import type { Known, MappedColumn, Target } from '../mapping/mapping-target.ts';
import type { StatusReading } from '../mapping/words.ts';

export const presetIds = ['mailchimp', 'hubspot', 'customerio', 'braze', 'klaviyo'] as const;
export type PresetId = (typeof presetIds)[number];

type Wanted = Target | { kind: 'date'; key: string } | { kind: 'consent' };

interface Preset {
  /** It is this service's file if all headers of one of these groups are there. */
  signs: readonly (readonly string[])[];
  /** By header, in lower case. */
  columns: Readonly<Record<string, Wanted>>;
}

const email: Wanted = { kind: 'email' };
const text = (key: string): Wanted => ({ kind: 'property', key, type: 'text' });
const number = (key: string): Wanted => ({ kind: 'property', key, type: 'number' });
const date = (key: string): Wanted => ({ kind: 'date', key });
const status = (reading: StatusReading): Wanted => ({ kind: 'status', reading, topicKey: '' });
/** Subscribed or unsubscribed, in words: it is about the one topic, where there is only one. */
const consent: Wanted = { kind: 'consent' };
const skipped = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { kind: 'skip' } as const]));

const presets: Readonly<Record<PresetId, Preset>> = {
  mailchimp: {
    signs: [
      ['email address', 'leid', 'euid'],
      ['email address', 'member_rating', 'optin_time'],
    ],
    columns: {
      'email address': email,
      unsub_time: status('unsubscribed'),
      clean_time: status('bounced'),
      'first name': text('first_name'),
      'last name': text('last_name'),
      'phone number': text('phone'),
      member_rating: number('member_rating'),
      optin_time: date('opted_in_at'),
      confirm_time: date('confirmed_at'),
      timezone: text('time_zone'),
      cc: text('country'),
      region: text('region'),
      notes: text('notes'),
      tags: text('tags'),
      ...skipped('optin_ip', 'confirm_ip', 'latitude', 'longitude', 'gmtoff', 'dstoff', 'last_changed', 'leid', 'euid'),
      ...skipped('unsub_campaign_title', 'unsub_campaign_id', 'unsub_reason', 'unsub_reason_other'),
      ...skipped('clean_campaign_title', 'clean_campaign_id'),
    },
  },
  hubspot: {
    signs: [['record id - contact', 'email'], ['record id', 'email', 'lifecycle stage'], ['portal unsubscribe']],
    columns: {
      email,
      'email address': email,
      'unsubscribed from all email': status('unsubscribed'),
      'email hard bounce reason': status('bounced'),
      'portal unsubscribe': status('unsubscribed'),
      'portal bounce': status('bounced'),
      'global bounce': status('bounced'),
      'portal spam report': status('complained'),
      'record id - contact': text('hubspot_id'),
      'record id': text('hubspot_id'),
      'first name': text('first_name'),
      'last name': text('last_name'),
      'phone number': text('phone'),
      'job title': text('job_title'),
      'company name': text('company'),
      'associated company': text('company_name'),
      'lifecycle stage': text('lifecycle_stage'),
      'lead status': text('lead_status'),
      'contact owner': text('owner'),
      'create date': date('created_in_hubspot_at'),
      'last activity date': date('last_activity_at'),
      'marketing contact status': text('marketing_contact_status'),
    },
  },
  customerio: {
    signs: [
      ['cio_id', 'email'],
      ['email', 'cio_subscription_preferences'],
      ['id', 'email', 'created_at', 'unsubscribed'],
    ],
    columns: {
      email,
      unsubscribed: status('unsubscribed'),
      suppressed: status('manual'),
      id: text('external_id'),
      created_at: date('created_in_customerio_at'),
      timezone: text('time_zone'),
      ...skipped('cio_id', 'cio_subscription_preferences'),
    },
  },
  braze: {
    signs: [
      ['braze id', 'email'],
      ['appboy id', 'email'],
      ['email', 'unsubscribed_from_emails_at'],
    ],
    columns: {
      email,
      unsubscribed_from_emails_at: status('unsubscribed'),
      // `subscribed` is only the default there: it says nothing about consent.
      email_subscribe: status('words'),
      user_id: text('external_id'),
      first_name: text('first_name'),
      last_name: text('last_name'),
      country: text('country'),
      city: text('city'),
      language: text('language'),
      gender: text('gender'),
      timezone: text('time_zone'),
      date_of_birth: date('date_of_birth'),
      created_at: date('created_in_braze_at'),
      first_session: date('first_session_at'),
      last_session: date('last_session_at'),
      ...skipped(
        'braze id',
        'appboy id',
        'devices',
        'idfas',
        'idfvs',
        'google_ad_ids',
        'roku_ad_ids',
        'windows_ad_ids',
      ),
      ...skipped('number_of_google_ad_ids', 'number_of_idfas', 'number_of_idfvs', 'number_of_push_tokens'),
      ...skipped('number_of_roku_ad_ids', 'number_of_windows_ad_ids', 'last_app_version_used', 'push_tokens'),
    },
  },
  klaviyo: {
    signs: [
      ['email', 'klaviyo id'],
      ['email', 'email marketing consent'],
    ],
    columns: {
      email,
      'email marketing consent': consent,
      'email suppressions': status('manual'),
      suppressed: status('manual'),
      'first name': text('first_name'),
      'last name': text('last_name'),
      organization: text('company'),
      title: text('job_title'),
      'phone number': text('phone'),
      address: text('address'),
      'address 2': text('address_2'),
      city: text('city'),
      'state / region': text('region'),
      country: text('country'),
      'zip code': text('zip_code'),
      source: text('source'),
      'klaviyo id': text('klaviyo_id'),
      'email marketing consent timestamp': date('email_consent_at'),
      'first active': date('first_active_at'),
      'last active': date('last_active_at'),
      'profile created on': date('created_in_klaviyo_at'),
      'date added': date('added_at'),
      ...skipped('ip address', 'latitude', 'longitude', 'sms marketing consent', 'sms marketing consent timestamp'),
      ...skipped('sms suppressions'),
    },
  },
};

const headerKey = (name: string) => name.trim().toLowerCase();

/** Whose export a file is, by its header. */
export function recognize(header: readonly string[]): PresetId | undefined {
  const names = new Set(header.map(headerKey));
  return presetIds.find((id) => presets[id].signs.some((group) => group.every((name) => names.has(name))));
}

/** The columns as a preset has them; those that it does not know as they were guessed. */
export function withPreset(
  id: PresetId,
  guessed: readonly MappedColumn[],
  rows: readonly (readonly string[])[],
  known: Known,
): MappedColumn[] {
  const { columns } = presets[id];
  const wanted = guessed.map(({ name }) =>
    Object.hasOwn(columns, headerKey(name)) ? columns[headerKey(name)] : undefined,
  );
  const used = new Set<string>();
  const once = (target: Target): Target => {
    const key = target.kind === 'email' ? 'email' : target.kind === 'property' ? target.key : undefined;
    if (key === undefined) return target;
    if (used.has(key)) return { kind: 'skip' };
    used.add(key);
    return target;
  };
  // A preset's own keys come first, so that no guess takes one of them.
  const targets = new Map<number, Target>();
  wanted.forEach((each, at) => {
    if (each) targets.set(at, once(resolved(each, cellsOf(rows, at), known)));
  });
  const hasEmail = [...targets.values()].some(({ kind }) => kind === 'email');
  const mapped = guessed.map((column, at): MappedColumn => {
    const own = targets.get(at);
    if (own) return { ...column, target: own };
    if (column.target.kind === 'email' && hasEmail) return { ...column, target: { kind: 'skip' } };
    return { ...column, target: once(column.target) };
  });
  return inOneOrder(mapped);
}

function cellsOf(rows: readonly (readonly string[])[], at: number): string[] {
  return rows.map((row) => row[at]?.trim() ?? '').filter((cell) => cell !== '');
}

function resolved(wanted: Wanted, cells: readonly string[], { topics }: Known): Target {
  if (wanted.kind === 'consent') {
    const [only = ''] = topics.size === 1 ? topics.keys() : [];
    return { kind: 'status', reading: 'words', topicKey: only };
  }
  if (wanted.kind !== 'date') return wanted;
  const found = detectDates(cells, { mayBeNumbers: true });
  return { kind: 'property', key: wanted.key, type: 'date', ...(found ?? { format: 'ymd', isSure: true }) };
}
