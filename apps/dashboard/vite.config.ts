import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Two apps of the same parts. Each has a folder of its own, because they are served by different listeners. */
const apps: Record<'dashboard' | 'console', UserConfig> = {
  dashboard: {
    base: '/dashboard/',
    server: { proxy: { '/dashboard/api': 'http://localhost:8080' } },
  },
  console: {
    root: folder('src/console'),
    base: '/console/',
    publicDir: folder('public'),
    build: { outDir: folder('console/dist'), emptyOutDir: true },
    server: { proxy: { '/operator/v1': 'http://localhost:8081' } },
  },
}

/** Everything is a file of our own: no script, style or font inside the page, so that the policy can forbid them. */
export default defineConfig(({ mode }) => {
  const app = apps[mode === 'console' ? 'console' : 'dashboard']
  return {
    ...app,
    plugins: [react(), tailwindcss()],
    build: {
      ...app.build,
      target: 'baseline-widely-available',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // What every page uses is one file: fewer requests, and it compresses better than forty. Few draw QR codes, or have these forms.
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              {
                name: 'parts',
                test: /src[/](ui(?![/](qr-code|named-form|overlap-choice|secret-dialog|settings-form|tabs))|shell|api)[/]/,
              },
            ],
          },
        },
      },
    },
  }
})
