import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../../../docs/reference/audit-check.py', import.meta.url))

/** Reads one export per line, as a JSON list of lines, and prints whether the script accepts it. */
const loop = `
import json, runpy, sys
check = runpy.run_path(sys.argv[1])["check"]
for given in sys.stdin:
    try:
        print("refused" if check(json.loads(given), sys.argv[2]) else "accepted")
    except Exception:
        print("refused")
`

/** Checks exports with audit-check.py, which shares no code with the service. Needs only Python 3.11. */
export async function checkWithPython(
  files: readonly (readonly string[])[],
  publicKeyPem: string,
): Promise<boolean[]> {
  const child = spawn('python3', ['-c', loop, script, publicKeyPem], { stdio: ['pipe', 'pipe', 'inherit'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stdin.end(files.map((lines) => `${JSON.stringify(lines)}\n`).join(''))
  const [code] = await once(child, 'close')
  const verdicts = Buffer.concat(chunks).toString().trim().split('\n')
  if (code !== 0 || verdicts.length !== files.length)
    throw new Error(`python3 ended with ${String(code)} after ${verdicts.length} of ${files.length} files`)
  return verdicts.map((verdict) => verdict === 'accepted')
}
