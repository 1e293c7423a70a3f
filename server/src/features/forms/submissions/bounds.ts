// How often forms may be sent: by a network, by a form, and by an address.
import { isIPv4 } from 'node:net';
import type { TakeBudget } from '../../../http/rate-limit.js';

export interface FormLimits {
  /** Posts a minute. */
  perNetwork: number;
  perForm: number;
  /** Posts an hour. */
  perAddress: number;
}

export const usualFormLimits: FormLimits = { perNetwork: 30, perForm: 600, perAddress: 5 };

const minute = 60_000;
const hour = 3_600_000;

export class FormBounds {
  constructor(
    private readonly takeBudget: TakeBudget,
    private readonly limits: FormLimits,
  ) {}

  /** Seconds to wait; 0: it may pass. */
  async post(address: string, tenantId: number, formId: string): Promise<number> {
    const { perNetwork, perForm } = this.limits;
    const wait = await this.takeBudget(`form-network:${networkOf(address)}`, perNetwork, minute);
    return wait || this.takeBudget(`form:${tenantId}:${formId}`, perForm, minute);
  }

  /** By the hash of the address: budgets may be kept outside this process. */
  async address(tenantId: number, hash: string): Promise<number> {
    return this.takeBudget(`form-address:${tenantId}:${hash}`, this.limits.perAddress, hour);
  }
}

/** An IPv4 address; of IPv6 the first 64 bits, which one customer has. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || isIPv4(address)) return mapped ?? address;
  const [head = '', tail] = (address.split('%')[0] as string).toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.join(':')}::/64`;
}
