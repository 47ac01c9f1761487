import { fileURLToPath } from 'node:url'
import { isHttpsLink, text } from '@vidimus/contract'
import { z } from 'zod'
import { type Config, ConfigError, readJsonFile } from '../../engine/config/index.ts'

export const maxWallets = 200

/** Browsers and systems open these themselves. */
const schemesOfOthers = new Set(
  'about blob data file filesystem ftp http https intent javascript mailto sms tel vbscript ws wss'.split(
    ' ',
  ),
)

const storeLink = (host: string) =>
  z
    .string()
    .max(300)
    .refine((link) => URL.parse(link)?.origin === `https://${host}`, `must begin with https://${host}/`)

const Wallet = z.strictObject({
  name: text({ min: 1, max: 60 }),
  /** Where it is used; everywhere if empty. */
  countries: z.array(z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters, such as NL')).max(100),
  /** What opens it, as in `buildWalletUri`. */
  link: z
    .string()
    .max(200)
    .refine(
      (link) => isHttpsLink(link) || (/^[a-z][a-z0-9+.-]*$/.test(link) && !schemesOfOthers.has(link)),
      'must be the scheme of an app, such as eu-eaap, or an https link such as https://wallet.example/open',
    ),
  app_store: storeLink('apps.apple.com').optional(),
  play_store: storeLink('play.google.com').optional(),
  /** A page about it, for devices whose store does not have it. */
  site: z
    .url({ protocol: /^https$/ })
    .max(300)
    .optional(),
  /** For developers: shown with test verifications only. */
  test_only: z.boolean().default(false),
})
export type Wallet = z.infer<typeof Wallet>

const shipped = fileURLToPath(new URL('wallets.json', import.meta.url))

/** The wallets that holders can choose by name: those of WALLETS_FILE, or the shipped ones. Throws a ConfigError that lists every mistake. */
export function readWallets({ WALLETS_FILE: file = shipped }: Pick<Config, 'WALLETS_FILE'>): Wallet[] {
  const parsed = z.array(Wallet).max(maxWallets).safeParse(readJsonFile('WALLETS_FILE', file))
  if (parsed.success) return parsed.data
  throw new ConfigError(
    parsed.error.issues.map(({ path, message }) => `WALLETS_FILE ${file}: ${path.join('.')}: ${message}`),
  )
}
