/** Licences that everything may have. None of them asks anything of the service's users but the notice that the image and the packages keep. */
export const allowedLicences: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Fonts, which are served with the dashboard.
  'OFL-1.1',
  'Unlicense',
  'Zlib',
])

/** Licences of tools and tests alone: nothing under them is distributed. */
export const allowedForDevelopment: ReadonlySet<string> = new Set(['MPL-2.0', 'Python-2.0'])

/** Packages for development whose manifest names no licence, and what their files or their repository say instead. */
export const licencesByHand: ReadonlyMap<string, string> = new Map([
  ['@meeco/sd-jwt', 'Apache-2.0'],
  // A build of the repository Sphereon-Opensource/mdoc-cbor-crypto-multiplatform, whose LICENSE this is.
  ['@sphereon/kmp-mdoc-core', 'Apache-2.0'],
  // Its JSON-LD contexts are under the W3C Software and Document License.
  ['credentials-context', 'BSD-3-Clause'],
  ['ec-compression', 'MIT'],
  ['prelude-ls', 'MIT'],
])
