import { type Address, listenSettings } from './address.js';

/** Command line settings: they override postgresql.conf, so an existing cluster follows the service's version. */
export function serverArguments(cluster: string, address: Address, major: number): string[] {
  const settings = {
    ...listenSettings(address),
    ...safety,
    ...size,
    ...logging,
    ...(major >= 18 ? { io_method: 'sync' } : {}),
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Acknowledged data is on disk. */
const safety = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', autovacuum: 'on' };

/** Small enough to idle beside the service on a laptop; this database has no replicas. */
const size = {
  shared_buffers: '64MB',
  max_connections: '60',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  timezone: 'UTC',
};

/** No statements and no DETAIL lines: they contain personal data. */
const logging = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_timezone: 'UTC',
  lc_messages: 'C',
};
