// How the servers are set up. docs/operations.md ("A cluster that was tested") repeats what an operator needs of it.

/** Seconds. Patroni asks for ttl ≥ loop_wait + 2 × retry_timeout. */
export const patroniTimes = { ttl: 10, loop_wait: 1, retry_timeout: 3 };

/**
 * JSON is YAML.
 * @param {{ name: string, port: number, restPort: number, etcd: { port: number, isVersion3: boolean }, dataDir: string, binDir: string }} node
 */
export function patroniSettings({ name, port, restPort, etcd, dataDir, binDir }) {
  const trusted = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  return JSON.stringify({
    ...{ scope: 'rapport', name },
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    [etcd.isVersion3 ? 'etcd3' : 'etcd']: { hosts: [`127.0.0.1:${etcd.port}`] },
    bootstrap: {
      dcs: {
        ...patroniTimes,
        // Only a standby that has every acknowledged write is promoted.
        synchronous_mode: true,
        // A primary that crashed is not waited for while a standby can take over.
        primary_start_timeout: 0,
        // Bytes. Which standby has every acknowledged write is known by `synchronous_mode`. This compares with the last position that the primary
        // told, which may be ahead of what it had sent and acknowledged: with 0, none is promoted then.
        maximum_lag_on_failover: 67_108_864,
        postgresql: {
          ...{ use_pg_rewind: true, use_slots: true, remove_data_directory_on_rewind_failure: true },
          remove_data_directory_on_diverged_timelines: true,
          parameters: postgresSettings,
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums', 'no-sync'],
      pg_hba: trusted,
    },
    postgresql: {
      ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}`, data_dir: dataDir, bin_dir: binDir },
      ...{ pgpass: `${dataDir}.pgpass`, pg_hba: trusted },
      authentication: {
        ...{
          superuser: { username: 'rapport' },
          replication: { username: 'replicator' },
          rewind: { username: 'rapport' },
        },
      },
      basebackup: [{ checkpoint: 'fast' }, 'no-sync'],
      parameters: { unix_socket_directories: '' },
    },
  });
}

const postgresSettings = {
  ...{ max_connections: 200, shared_buffers: '64MB', max_wal_size: '256MB', min_wal_size: '64MB' },
  // A standby that says nothing for this long does not hold up commits any longer.
  wal_sender_timeout: '3s',
  wal_receiver_timeout: '5s',
  hot_standby_feedback: 'on',
  wal_keep_size: '128MB',
  // Processes are killed here, not machines: the kernel keeps what they wrote.
  fsync: 'off',
};

/** @param {{ clientPort: number, peerPort: number, dataDir: string, isVersion3: boolean }} options */
export function etcdArguments({ clientPort, peerPort, dataDir, isVersion3 }) {
  const [client, peer] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
  return [
    ...['--name', 'one', '--data-dir', dataDir, '--initial-cluster', `one=${peer}`],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...(isVersion3 ? [] : ['--enable-v2']),
  ];
}

/**
 * @param {{ port: number, primaryPort: number, isTransactionMode: boolean }} options
 */
export function pgBouncerSettings({ port, primaryPort, isTransactionMode }) {
  const mode = isTransactionMode
    ? ['pool_mode = transaction', 'max_prepared_statements = 200']
    : ['pool_mode = session'];
  return [
    '[databases]',
    `* = host=127.0.0.1 port=${primaryPort} user=rapport`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any', ...mode],
    ...['default_pool_size = 150', 'max_client_conn = 500', 'ignore_startup_parameters = extra_float_digits'],
    // Without these it goes on refusing clients for 15 s after the primary is back.
    ...['server_login_retry = 1', 'server_connect_timeout = 3', 'query_wait_timeout = 5', ''],
  ].join('\n');
}

/**
 * @param {{ apiPort: number, primaryPort: number, replicaPort: number, apiNodes: number[], nodes: { name: string, port: number, restPort: number }[] }} options
 */
export function haproxySettings({ apiPort, primaryPort, replicaPort, apiNodes, nodes }) {
  const database = (/** @type {string} */ role, /** @type {number} */ port) => [
    `listen ${role}`,
    ...['  mode tcp', `  bind 127.0.0.1:${port}`, `  option httpchk GET /${role}`, '  http-check expect status 200'],
    ...['  timeout client 1h', '  timeout server 1h'],
    '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`),
  ];
  return [
    ...['global', '  maxconn 2000', 'defaults', '  timeout connect 2s', '  timeout check 1s'],
    'listen api',
    ...['  mode http', `  bind 127.0.0.1:${apiPort}`, '  balance roundrobin', '  option forwardfor'],
    // Not /readyz: while the database is away no node is ready, and clients would get HAProxy's 503, which has no Retry-After.
    ...['  option httpchk GET /healthz', '  http-check expect status 200'],
    ...['  option redispatch 1', '  retries 3', '  timeout client 75s', '  timeout server 30s'],
    '  default-server inter 500ms fall 2 rise 1',
    ...apiNodes.map((port, i) => `  server api${i + 1} 127.0.0.1:${port} check`),
    ...database('primary', primaryPort),
    ...database('replica', replicaPort),
    '',
  ].join('\n');
}
