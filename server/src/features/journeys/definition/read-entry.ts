import { type TriggerKind, topicStates, triggerKinds } from '@rapport/contract';
import { readCron } from '../../../lib/cron.js';
import {
  FilterFault,
  readAssetId,
  readBoolean,
  readEventTest,
  readOneOf,
  readScalar,
  readTime,
} from '../../filter-language/index.js';
import type { Audience, Entry, Schedule } from './definition.js';
import type { Part } from './part.js';
import { readEventName, readOffset, readPropertyKey, readTimeOfDay, readZone } from './read-values.js';

export type JourneyType = 'batch' | 'trigger';

/** Undefined where it could not be read; why is noted. */
export function readEntry(part: Part, type: JourneyType): Entry | undefined {
  const entry = type === 'batch' ? readBatch(part) : readTrigger(part);
  part.end();
  return entry;
}

function readBatch(part: Part): Entry | undefined {
  const audience = part.part('audience');
  const schedule = part.optionalPart('schedule');
  const list = audience && readList(audience);
  const when = schedule && readSchedule(schedule);
  return list && { kind: 'batch', audience: list, ...(when ? { schedule: when } : {}) };
}

function readList(part: Part): Audience | undefined {
  const key = part.oneOf(['staticListId', 'dynamicListId']);
  part.end();
  if (key === undefined) return undefined;
  if (key === 'staticListId') return { staticListId: part.wanted(key, readAssetId('a static list'), '') };
  return { dynamicListId: part.wanted(key, readAssetId('a dynamic list'), '') };
}

function readSchedule(part: Part): Schedule | undefined {
  const key = part.oneOf(['at', 'cron']);
  if (key === 'at') {
    const at = part.wanted(key, readTime, '');
    part.end();
    return { kind: 'at', at: Date.parse(at) };
  }
  if (key === undefined) return undefined;
  const cron = part.wanted(key, readCronText, '');
  const timeZone = part.wanted('timeZone', readZone, '');
  part.end();
  return { kind: 'cron', cron, timeZone };
}

function readCronText(value: unknown, place: string): string {
  if (typeof value === 'string' && readCron(value)) return value;
  throw new FilterFault(
    place,
    'a cron of five fields that fires at some time is wanted: minute, hour, day, month, weekday, such as 0 9 * * 1',
  );
}

function readTrigger(part: Part): Entry | undefined {
  const kind = part.oneOf(triggerKinds);
  if (kind === undefined) return undefined;
  if (kind === 'api') {
    part.wanted(kind, readTrue, true);
    return { kind };
  }
  const inner = part.part(kind);
  if (inner === undefined) return undefined;
  const entry = readNews(kind, inner);
  inner.end();
  return entry;
}

function readNews(kind: Exclude<TriggerKind, 'api'>, part: Part): Entry | undefined {
  switch (kind) {
    case 'event': {
      const most = part.faults.left;
      const where = part.optional('where', (json, place) => readEventTest(json, place, { allowEntry: false, most }));
      return { kind, eventName: part.wanted('eventName', readEventName, ''), ...(where ? { where } : {}) };
    }
    case 'joined': {
      const list = readList(part);
      return list && { kind, list };
    }
    case 'left':
      return { kind, dynamicListId: part.wanted('dynamicListId', readAssetId('a dynamic list'), '') };
    case 'propertyChanged':
      return {
        kind: 'property',
        property: part.wanted('property', readPropertyKey, ''),
        from: part.optional('from', readScalar),
        to: part.optional('to', readScalar),
      };
    case 'form':
      return { kind, formId: part.wanted('formId', readAssetId('a form'), '') };
    case 'topic':
      return {
        kind,
        topicId: part.wanted('topicId', readAssetId('a topic'), ''),
        becomes: part.wanted('becomes', readOneOf(topicStates), 'subscribed'),
      };
    case 'date':
      return {
        kind,
        property: part.wanted('property', readPropertyKey, ''),
        offset: part.optional('offset', readOffset) ?? 0,
        at: part.optional('at', readTimeOfDay),
        yearly: part.optional('yearly', readBoolean) ?? false,
      };
  }
}

function readTrue(value: unknown, place: string): boolean {
  if (value !== true) throw new FilterFault(place, 'true is wanted');
  return value;
}
