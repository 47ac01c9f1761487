import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const source = new URL('service-worker.js', import.meta.url)

/** Writes `sw.js` with the names of all built files. Their names contain a hash, so the version changes with any of them. */
export function emitServiceWorker(base: string): Plugin {
  return {
    name: 'emit-service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') this.error('The service worker needs the built page.')
        const assets = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
        const shell = [base.replace(/\/$/, ''), ...assets.toSorted().map((name) => `${base}${name}`)]
        const template = readFileSync(source, 'utf8')
        const version = hash('sha256', JSON.stringify([shell, String(page.source), template])).slice(0, 16)
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: template
            .replace("'__VERSION__'", JSON.stringify(version))
            .replace('__SHELL__', JSON.stringify(shell)),
        })
      },
    },
  }
}
