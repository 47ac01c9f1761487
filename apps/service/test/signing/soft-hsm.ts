import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AesKeyAttributes } from './create-aes-key.ts'

const module_path = '/usr/lib/softhsm/libsofthsm2.so'

/** Debian's SoftHSM and the compiled addon. CI sets PKCS11=required, so that nothing is skipped there. */
export const lacksSoftHsm =
  process.env['PKCS11'] !== 'required' && !(existsSync(module_path) && isAddonCompiled())
export const skipReason = lacksSoftHsm ? ' (skipped: install Debian’s softhsm2 and run `npm run pkcs11`)' : ''

/** A SoftHSM token in a folder of its own. Modules that this process or its children load from now on use it. */
export function createSoftHsm() {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-hsm-'))
  const [configuration, tokens, pin] = [
    join(folder, 'softhsm2.conf'),
    join(folder, 'tokens'),
    join(folder, 'pin'),
  ]
  mkdirSync(tokens)
  writeFileSync(
    configuration,
    `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  )
  writeFileSync(pin, '1234\n')
  process.env['SOFTHSM2_CONF'] = configuration
  const run = (...args: string[]) =>
    execFileSync('softhsm2-util', args, {
      stdio: 'pipe',
      env: { ...process.env, SOFTHSM2_CONF: configuration },
    })
  run('--init-token', '--free', '--label', 'vidimus', '--pin', '1234', '--so-pin', '5678')
  return {
    folder,
    configuration,
    pin,
    module_path,
    /** The setting for a key of the token. */
    uri: (object: string, { token = 'vidimus', module = module_path, pin_file = pin } = {}) =>
      `pkcs11:token=${token};object=${object}?module-path=${module}&pin-source=file:${pin_file}`,
    /** Puts a private key, as PKCS #8, into the token. */
    importKey(object: string, key: string, id: string) {
      const file = join(folder, `${object}.pem`)
      writeFileSync(file, key)
      run('--import', file, '--token', 'vidimus', '--label', object, '--id', id, '--pin', '1234')
      rmSync(file)
    },
    /** Creates an AES key in the token, which cannot leave it unless told otherwise. */
    createAesKey(object: string, attributes: AesKeyAttributes = {}) {
      const program = fileURLToPath(new URL('create-aes-key.ts', import.meta.url))
      execFileSync(
        process.execPath,
        [program, JSON.stringify({ module_path, token: 'vidimus', pin: '1234', object, ...attributes })],
        { stdio: 'pipe', env: { ...process.env, SOFTHSM2_CONF: configuration } },
      )
    },
    /** As if the card was pulled out. */
    remove: () => renameSync(tokens, `${tokens}.removed`),
    insert: () => renameSync(`${tokens}.removed`, tokens),
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true })
    },
  }
}

/** The processes of this one that use a token. */
export function findTokenProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        return (
          Number(parent) === process.pid &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('hsm-process')
        )
      } catch {
        // It has just ended.
        return false
      }
    })
}

function isAddonCompiled(): boolean {
  try {
    createRequire(import.meta.url)('pkcs11js')
    return true
  } catch {
    // Not installed, or not compiled.
    return false
  }
}
