import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { addresses } from './build/addresses.ts';
import { firstLoad } from './build/first-load.ts';
import { noJavascript } from './build/no-javascript.ts';

// `npm run dev -w console` shows the sources at once and asks a running service for the rest.
const service = process.env.RAPPORT_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/console/',
  plugins: [react(), addresses(), noJavascript(), firstLoad()],
  build: {
    target: 'es2022',
    // The policy of the page allows data: for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/v1': service, '/v2': service, '/docs': service, '/console/preview': service } },
});
