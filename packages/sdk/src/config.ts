import type { Connection } from './send.ts'
import type { AppliedConfig, TenantConfig } from './types.ts'
import type { CallOptions } from './verifications.ts'

export type ApplyConfigOptions = CallOptions & {
  /** Plans and checks, and changes nothing. */
  dry_run?: boolean | undefined
  /** Deletes what the parts of the document do not name. */
  prune?: boolean | undefined
  /** The `ETag` of the configuration that you expect. If it has changed, the call fails with `config_changed`. */
  if_match?: string | undefined
}

export function createConfigApi({ call }: Connection, bearer: string) {
  const path = '/v1/config'
  return {
    /** The whole configuration, without secrets. */
    export({ signal }: CallOptions = {}): Promise<TenantConfig> {
      return call({ method: 'GET', path, bearer, retry: 'always', signal })
    },

    /**
     * Makes the configuration what the document says. Check `failure`: a change that fails midway leaves those before it made. Secrets
     * of what was created are shown only once, so a lost response is not retried; apply again to see what is left.
     */
    apply(
      config: TenantConfig,
      { dry_run = false, prune = false, if_match, signal }: ApplyConfigOptions = {},
    ): Promise<AppliedConfig> {
      return call({
        method: 'PUT',
        path: `${path}?dry_run=${dry_run}&prune=${prune}`,
        bearer,
        body: config,
        retry: dry_run ? 'always' : 'unless_lost',
        signal,
        ...(if_match !== undefined && { headers: { 'If-Match': if_match } }),
      })
    },
  }
}
