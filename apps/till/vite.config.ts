import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { emitServiceWorker } from './build/emit-service-worker.ts'

const base = '/till/'

/** One script and one style sheet, so that a page whose version was replaced never has to load another file. */
export default defineConfig({
  base,
  plugins: [react(), emitServiceWorker(base)],
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/v1': 'http://localhost:8080' } },
})
