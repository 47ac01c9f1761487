import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The names of the page's built files. Both contain a hash of their content. */
export type PageAssets = { script: string; style: string }

const Manifest = z.strictObject({ script: z.string(), style: z.string() })

/**
 * Reads the names once they are first needed. Undefined if the page is not built: it then works without script and style, as
 * it must without JavaScript anyway.
 */
export function pageAssets(folder: string): () => PageAssets | undefined {
  const file = join(folder, 'manifest.json')
  let assets: PageAssets | undefined
  return () => {
    if (assets === undefined && existsSync(file))
      assets = Manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
    return assets
  }
}
