/** There is one master key, and one more only while it is being changed. */
export function checkMasterKeys(
  given: Record<string, string | undefined>,
  environment: NodeJS.ProcessEnv,
): string[] {
  const isSet = (name: string) => given[name] !== undefined || Boolean(environment[`${name}_FILE`])
  const current = ['MASTER_KEY', 'MASTER_KEY_URI'].filter(isSet)
  const previous = ['MASTER_KEY_PREVIOUS', 'MASTER_KEY_PREVIOUS_URI'].filter(isSet)
  return [
    ...(current.length === 0 ? ['MASTER_KEY or MASTER_KEY_URI is required'] : []),
    ...(current.length === 2
      ? [
          'MASTER_KEY and MASTER_KEY_URI are both set; while the master key is being changed, set the old one as MASTER_KEY_PREVIOUS or MASTER_KEY_PREVIOUS_URI',
        ]
      : []),
    ...(previous.length === 2 ? ['MASTER_KEY_PREVIOUS and MASTER_KEY_PREVIOUS_URI are both set'] : []),
  ]
}
