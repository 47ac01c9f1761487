import { describeFaults, faults } from '@vidimus/sandbox'

/** Every fault of the sandbox wallet, with the check that catches it and the result, on each channel and in each format. */
export function describeSandboxFaults(): string {
  const rows = describeFaults(faults).flatMap(({ name, description, results }) =>
    results.map(
      ({ channels, format, check, result }) =>
        `| \`${name}\` | ${description} | ${channels.join(', ')} | ${format} | ${check === undefined ? '' : `\`${check}\``} | ${result} |`,
    ),
  )
  return [
    '| fault | what is wrong | channels | format | check | result |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
