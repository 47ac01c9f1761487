import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBlocks } from '../documents/read-blocks.ts'
import { buildDebianPackage } from './build-package.ts'
import { startMachine, type Machine } from './machine.ts'

// The tests follow each other on one machine, as an operator does.

const folder = mkdtempSync(join(tmpdir(), 'vidimus-package-'))
const resources = new AsyncDisposableStack()
const processes = ['vidimus-serve@0', 'vidimus-serve@1', 'vidimus-work']
let file: string
let machine: Machine

beforeAll(async () => {
  resources.defer(() => rmSync(folder, { recursive: true }))
  file = await buildDebianPackage(folder, { compression: 'none' })
  machine = resources.use(await startMachine())
}, 600_000)
afterAll(() => resources.disposeAsync(), 60_000)

test('lintian finds nothing in the package', { timeout: 600_000 }, () => {
  const accepted = [
    // `vidimus help` is its manual.
    'no-manual-page',
    // The services are started and restarted one by one, not by debhelper.
    'maintainer-script-calls-systemctl',
    // /usr/bin/vidimus names the Node that runs them.
    'script-not-executable',
    // Node is as its project builds it.
    'embedded-library',
    'hardening-no-pie',
    'unstripped-binary-or-object',
    // Only here, to be faster.
    'uses-no-compression-for-control-tarball',
    'uses-no-compression-for-data-tarball',
  ]
  const output = execFileSync('lintian', ['--allow-root', '--suppress-tags', accepted.join(','), file], {
    encoding: 'utf8',
  })
  expect(output).toBe('')
})

test('install.md works step by step on an empty machine', { timeout: 600_000 }, async () => {
  machine.give(file)
  const [authority] = readBlocks('docs/operate/staging.md')
  const steps = readBlocks('docs/operate/install.md').filter(
    ({ language, attributes }) => language === 'sh' && !('example' in attributes),
  )
  expect(steps).toHaveLength(8)
  const outputs: string[] = []
  for (const { text, attributes } of steps) {
    // The certificates come from elsewhere, and so does the name.
    if (text.includes('access.pem'))
      await machine.run(`${authority?.text.replaceAll('staging.example.com', 'verify.example.com')}
        cp staging/access.* staging/tls.* .; install --mode 640 --group vidimus staging/ca.pem /etc/vidimus
        echo NODE_EXTRA_CA_CERTS=/etc/vidimus/ca.pem >> /etc/vidimus/vidimus.env
        echo 127.0.0.1 verify.example.com >> /etc/hosts`)
    const output = await (text.startsWith('apt-get') ? machine.install(text) : machine.run(text))
    expect(output).toContain(attributes['shows'] ?? '')
    outputs.push(output)
  }
  // The machine has no network.
  const wrong = [...(outputs.at(-2) ?? '').matchAll(/^WRONG +([a-z ]+?)(?= +[A-Z])/gm)].map(
    ([, check]) => check,
  )
  expect(wrong).toEqual(['egress'])
  expect(outputs.at(-1)).toContain('All 21 steps passed')
})

test('commands run as the user of the service, with its settings, and a variable of the caller comes first', async () => {
  expect(
    await machine.run(`cp /usr/bin/vidimus /tmp/show && sed --in-place 's|^exec /usr/lib.*|id --user --name; printenv BASE_URL|' /tmp/show && chmod 755 /tmp/show
    /tmp/show; BASE_URL=https://other.example.com /tmp/show`),
  ).toBe('vidimus\nhttps://verify.example.com\nvidimus\nhttps://other.example.com\n')
  const output = await machine.run(`runuser -u nobody -- vidimus doctor 2>&1 || echo status $?`)
  expect(output).toMatch(/^vidimus: without the settings in [^\n]+\n[^]*DATABASE_URL is required[^]*status 1/)
  const broken =
    await machine.run(`echo 'not a setting' >> /etc/vidimus/vidimus.env; vidimus doctor 2>&1 || echo status $?
    sed --in-place '/^not a setting$/d' /etc/vidimus/vidimus.env`)
  expect(broken).toContain('is not NAME=value: not a setting\nstatus 2')
})

test('a database that is late does not keep the service from starting', { timeout: 240_000 }, async () => {
  await machine.run('systemctl stop postgresql; systemctl restart --no-block vidimus-serve@0 vidimus-work')
  const show = (property: string) =>
    machine.run(`systemctl show --property ${property} --value vidimus-serve@0`)
  // More than systemd allows unless a unit says otherwise; on a fast machine they are within its ten seconds.
  await expect.poll(async () => Number(await show('NRestarts')), { timeout: 90_000 }).toBeGreaterThan(5)
  expect(await show('StartLimitIntervalUSec')).toBe('0\n')
  await machine.run('systemctl start postgresql')
  await waitFor('vidimus health --wait 60 && systemctl is-active vidimus-serve@0 vidimus-work')
})

test(
  'a process that exits with 77 is not started again, and one that exits with 1 is',
  { timeout: 120_000 },
  async () => {
    const exit = (status: number) => `mkdir -p /etc/systemd/system/vidimus-serve@9.service.d
    printf '[Service]\\nExecStartPre=\\nExecStartPost=\\nExecStart=\\nExecStart=/bin/sh -c "exit ${status}"\\n' > /etc/systemd/system/vidimus-serve@9.service.d/exit.conf
    systemctl daemon-reload; systemctl restart vidimus-serve@9 || true; sleep 5
    systemctl show --property NRestarts,ExecMainStatus,ActiveState vidimus-serve@9; systemctl stop vidimus-serve@9`
    expect(await machine.run(exit(77))).toBe('NRestarts=0\nExecMainStatus=77\nActiveState=failed\n')
    expect(await machine.run(exit(1))).toMatch(/NRestarts=[2-9]/)
    await machine.run('rm -r /etc/systemd/system/vidimus-serve@9.service.d; systemctl daemon-reload')
  },
)

test(
  'an upgrade restarts what runs, one after another, and no request fails',
  { timeout: 300_000 },
  async () => {
    await machine.run('systemctl enable --now vidimus-serve@1')
    machine.give(repack(file, '99.0.0'))
    // As a reverse proxy does: the next process if one refuses.
    await machine.run(`cat > /tmp/load <<'END'
while [ ! -e /tmp/stop ]; do
  printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' > /tmp/request
  for port in 8080 8081; do
    exec 3<> /dev/tcp/127.0.0.1/$port || continue
    cat /tmp/request >&3; status=$(head -1 <&3); exec 3>&-; break
  done 2> /dev/null
  echo "$port \${status:-none}" >> /tmp/load.log; status=
  sleep 0.05
done
END
    systemd-run --quiet --unit load bash /tmp/load`)
    const before = await pids()
    const output = await machine.run('apt-get install --yes ./vidimus_99.0.0_*.deb; touch /tmp/stop')
    const restarted = [...output.matchAll(/^restarting (\S+)\.service$/gm)].map(([, unit = '']) => unit)
    expect(new Set(restarted)).toEqual(new Set(processes))
    expect(restarted).toHaveLength(processes.length)
    const after = await pids()
    expect(after.filter((pid) => before.includes(pid) || pid === '0')).toEqual([])
    expect(await machine.run('systemctl is-active vidimus-work vidimus-serve@{0,1}')).toBe(
      'active\nactive\nactive\n',
    )
    expect(await machine.run(`dpkg-query --showformat '\${Version}' --show vidimus`)).toBe('99.0.0')
    const load = (await machine.run('sort /tmp/load.log | uniq --count')).trim().split('\n')
    expect(load.filter((line) => !line.includes(' 200 '))).toEqual([])
    // Both answered, so one did while the other was away.
    expect(load).toHaveLength(2)
    expect(await machine.run('cat /etc/vidimus/vidimus.env')).toContain('BASE_URL=https://verify.example.com')
  },
)

test('a new access certificate is taken by restarting one after another', { timeout: 120_000 }, async () => {
  const end = () =>
    machine.run(`exec 3<> /dev/tcp/127.0.0.1/9470; printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' >&3
    grep '^vidimus_access_certificate_not_after' <&3`)
  const before = await end()
  const [authority] = readBlocks('docs/operate/staging.md')
  await machine.run(`${authority?.text.replace('-days 90', '-days 60')}
    install --mode 640 --group vidimus staging/access.* /etc/vidimus; vidimus-restart`)
  expect(await end()).not.toBe(before)
})

test(
  'the shipped scripts back up, test the back-up, and restore a database that was lost',
  { timeout: 600_000 },
  async () => {
    await machine.install('apt-get install --yes --no-install-recommends pgbackrest')
    expect(await machine.run('vidimus-backup setup')).toContain('backed up; keep a copy')
    const tenants = () => machine.run('vidimus admin tenant list | sort')
    await machine.run('vidimus admin tenant create --name Later')
    // One after the other: started at once, the test may find the back-up before.
    await machine.run('systemctl start pgbackrest-vidimus@incr; systemctl start pgbackrest-vidimus@test')
    const journal = await machine.run('journalctl --unit pgbackrest-vidimus@test --output cat')
    expect(journal).toMatch(/the newest back-up can be restored: 2 tenants, [1-9]\d* audit entries/)
    const before = await tenants()
    // Not in a back-up, but in the archived WAL.
    await machine.run(`runuser -u postgres -- psql --quiet --command 'select pg_switch_wal()'; sleep 2
    systemctl stop postgresql; rm -rf /var/lib/postgresql/15/main`)
    expect(await machine.run('vidimus-backup restore')).toContain(
      'restored; vidimus admin restore status says',
    )
    expect(await tenants()).toBe(before)
    expect(await machine.run('vidimus admin restore status && vidimus admin audit verify')).toContain('valid')

    // The check sees a repository that is damaged, and what reports it says so.
    await machine.run(
      'rm -rf /var/lib/pgbackrest/archive/vidimus/15-1/*; systemctl start pgbackrest-vidimus@test || true',
    )
    const metrics = await machine.run('cat /var/lib/prometheus/node-exporter/*.prom')
    expect(metrics).toContain('vidimus_job_success{task="backup_incr"} 1')
    expect(metrics).toContain('vidimus_job_success{task="backup_test"} 0')
    expect(metrics).toMatch(/last_success_timestamp_seconds\{task="backup_test"\} [1-9]/)
  },
)

test(
  'the canary and the check of the audit log run by their timers, and report',
  { timeout: 120_000 },
  async () => {
    await machine.run(`printf 'VIDIMUS_URL=https://verify.example.com\\nVIDIMUS_KEY_FILE=/etc/vidimus/canary-key\\n' >> /etc/vidimus/vidimus.env
    systemctl start vidimus-canary vidimus-audit-verify; systemctl enable --now vidimus-canary.timer vidimus-audit-verify.timer`)
    const metrics = await machine.run(
      'cat /var/lib/prometheus/node-exporter/vidimus_{canary,audit_verify}.prom',
    )
    expect(metrics.match(/^vidimus_job_success\{.*\} 1$/gm)).toHaveLength(2)
    await machine.run(
      'systemctl stop vidimus-serve@0; systemctl start vidimus-canary || true; systemctl start vidimus-serve@0',
    )
    expect(await machine.run('cat /var/lib/prometheus/node-exporter/vidimus_canary.prom')).toContain(
      '{task="canary"} 0',
    )
  },
)

test('the package removes its services and leaves keys and ledger, also when it is purged', async () => {
  const removed = await machine.run('apt-get remove --yes vidimus')
  expect(removed).not.toContain('dpkg: warning')
  expect(await machine.run(`systemctl list-units --plain --no-legend 'vidimus-*'`)).toBe('')
  await machine.run('apt-get purge --yes vidimus')
  const left = await machine.run(
    'find /etc/vidimus /var/lib/vidimus /usr/lib/vidimus /var/cache/vidimus /lib/systemd/system/vidimus* 2> /dev/null || true',
  )
  expect(left).toContain('/etc/vidimus/master-key\n')
  expect(left).toContain('/var/lib/vidimus/ledger\n')
  expect(left.split('\n').filter((path) => /vidimus\.env|usr\/lib|cache|systemd/.test(path))).toEqual([])
}, 120_000)

async function pids(): Promise<string[]> {
  return (await machine.run(`systemctl show --property MainPID --value ${processes.join(' ')}`))
    .split(/\n+/)
    .filter(Boolean)
}

async function waitFor(script: string): Promise<void> {
  await expect.poll(() => machine.run(script).then(() => 'done', String), { timeout: 60_000 }).toBe('done')
}

/** The same package with another version. */
function repack(from: string, version: string): string {
  const tree = join(folder, version)
  execFileSync('dpkg-deb', ['--raw-extract', from, tree])
  const control = readFileSync(join(tree, 'DEBIAN/control'), 'utf8')
  writeFileSync(join(tree, 'DEBIAN/control'), control.replace(/^Version: .*$/m, `Version: ${version}`))
  const to = from.replace(/_[^_]+_/, `_${version}_`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, to])
  return to
}
