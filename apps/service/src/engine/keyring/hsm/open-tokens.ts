import type { Log } from '../../observability/log.ts'
import { openToken, type Token } from './open-token.ts'
import type { TokenKey, TokenModule } from './read-pkcs11-uri.ts'
import { tokenLimits } from './token-messages.ts'

/** The PKCS#11 tokens of the configuration. Keys in the same token share its process, and so one attempt with its PIN. */
export type Tokens = {
  /** A token that is needed all the time. `onUsable` is told whenever it becomes usable or unusable. */
  keep(key: TokenKey & TokenModule, onUsable: (usable: boolean) => void): Token
  /** Opens a token for a piece of work. A token that is not kept is left a while later. */
  use<Result>(key: TokenKey & TokenModule, work: (token: Token) => Promise<Result>): Promise<Result>
  close(): void
}

type OpenedToken = {
  token: Token
  kept: boolean
  users: number
  leaving?: NodeJS.Timeout | undefined
  onUsable?: (usable: boolean) => void
}

export function openTokens(log: Log): Tokens {
  const opened = new Map<string, OpenedToken>()

  function find({ token: label, module_path, pin_file }: TokenKey & TokenModule): OpenedToken {
    const name = JSON.stringify([module_path, label, pin_file])
    const known = opened.get(name)
    if (known !== undefined) return known
    const entry: OpenedToken = {
      token: openToken({
        log,
        token: label,
        module_path,
        pin_file,
        onUsable: (usable) => entry.onUsable?.(usable),
      }),
      kept: false,
      users: 0,
    }
    opened.set(name, entry)
    return entry
  }

  return {
    keep(key, onUsable) {
      const entry = find(key)
      entry.kept = true
      entry.onUsable = onUsable
      return entry.token
    },
    async use(key, work) {
      const entry = find(key)
      entry.users += 1
      clearTimeout(entry.leaving)
      try {
        return await work(entry.token)
      } finally {
        entry.users -= 1
        if (!entry.kept && entry.users === 0)
          entry.leaving = setTimeout(() => entry.token.rest(), tokenLimits.rest_ms).unref()
      }
    },
    close() {
      for (const { token, leaving } of opened.values()) {
        clearTimeout(leaving)
        token.close()
      }
    },
  }
}
