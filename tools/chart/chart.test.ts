import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { digestChart, examples, readManifests, type Manifest } from './chart.ts'
import { validateManifests } from './validate-manifests.ts'
import { renderValuesTable } from './values-table.ts'

const chart = 'deploy/helm/vidimus'
const read = (file: string) => readFileSync(file, 'utf8')
const rendered = examples.map(({ name, values }) => ({
  name,
  values,
  text: read(`deploy/helm/rendered/${name}.yaml`),
}))
const everything = readManifests(rendered.find(({ name }) => name === 'everything')?.text ?? '')
const workloads = rendered
  .flatMap(({ text }) => readManifests(text))
  .map((manifest) =>
    manifest.kind === 'CronJob' ? { ...manifest, spec: manifest.spec.jobTemplate.spec } : manifest,
  )
  .filter(({ kind }) => ['Deployment', 'Job', 'CronJob'].includes(kind))

const validateValues = new Ajv({ strict: false }).compile(JSON.parse(read(`${chart}/values.schema.json`)))
const defaults: unknown = parse(read(`${chart}/values.yaml`))

/** As Helm does: the values complete the defaults, and the schema applies to the result. */
const acceptsValues = (values: unknown) => validateValues(merge(defaults, values))

function merge(base: unknown, values: unknown): unknown {
  if (!isRecord(base) || !isRecord(values)) return values
  const merged = Object.entries(values).map(([name, value]) => [name, merge(base[name], value)])
  return { ...base, ...Object.fromEntries(merged) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

test('the schema accepts the defaults and every example of values, and refuses mistakes', () => {
  const files = [`${chart}/values.yaml`, ...examples.map(({ values }) => values)]
  for (const file of files) expect([file, acceptsValues(parse(read(file)))]).toEqual([file, true])

  for (const mistake of [
    { serve: { replica: 3 } },
    { serve: { replicas: 0 } },
    { config: { BASE_URL: 'http://verify.example.com' } },
    { config: { BASE_URL: 'https://verify.example.com', DB_POOL_SIZE: 20 } },
    { config: { BASE_URL: 'https://verify.example.com', DATABASE_URL: 'postgres://u:p@db/vidimus' } },
    { secrets: { masterKey: 'a secret' } },
    { secrets: { masterKey: { name: 'vidimus', value: 'a secret' } } },
    { image: { digest: 'sha256:12' } },
    // Exactly one master key.
    { secrets: { masterKey: { name: '' } } },
    { config: { MASTER_KEY_URI: 'pkcs11:token=vidimus;object=master' } },
  ])
    expect([mistake, acceptsValues(mistake)]).toEqual([mistake, false])
  expect(
    acceptsValues({
      config: { MASTER_KEY_URI: 'pkcs11:token=vidimus;object=master' },
      secrets: { masterKey: { name: '' } },
    }),
  ).toBe(true)
})

test('every setting of the service is a value, a secret, or set by the chart', () => {
  const variables = [...read('.env.example').matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name)
  const schema = JSON.parse(read(`${chart}/values.schema.json`))
  const templates = read(`${chart}/templates/_helpers.tpl`) + read(`${chart}/templates/deployments.yaml`)
  const known = new Set([
    // The default suits a pod.
    'HOST',
    ...Object.keys(schema.properties.config.properties),
    ...[...templates.matchAll(/name: ([A-Z][A-Z_]+),/g)].map(([, name]) => name),
    ...[...templates.matchAll(/^\w+: ([A-Z][A-Z_]+)$/gm)].map(([, name]) => name),
  ])

  expect(variables.length).toBeGreaterThan(25)
  // Add a new setting to `config` in values.schema.json, and to values.yaml if it needs a default there.
  expect(variables.filter((name) => !known.has(name))).toEqual([])
  expect(
    Object.keys(schema.properties.config.properties).filter((name) => !variables.includes(name)),
  ).toEqual([])
})

test('the rendered examples are those of this chart', () => {
  // Install Helm and run `npm run chart -- render`.
  for (const { values, text } of rendered) expect(text).toContain(`\n# Chart: ${digestChart(values)}\n`)
  expect(everything.map(({ kind }) => kind).toSorted()).toEqual([
    'ConfigMap',
    'CronJob',
    'CronJob',
    'Deployment',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'NetworkPolicy',
    'NetworkPolicy',
    'NetworkPolicy',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PodDisruptionBudget',
    'PodMonitor',
    'PrometheusRule',
    'Service',
    'ServiceAccount',
  ])
})

test('the schemas of Kubernetes, Prometheus and CloudNativePG accept every object, and notice a wrong one', async () => {
  const others = ['deploy/helm/claims.yaml', 'deploy/helm/cloudnativepg-cluster.yaml'].flatMap((file) =>
    readManifests(read(file)),
  )
  const rules = everything
    .filter(({ kind }) => kind === 'PrometheusRule')
    .map((rule) => ({ ...rule, spec: parse(read('deploy/alerts.yaml')) }))
  expect([others.length, rules.length]).toEqual([3, 1])
  const all = [...rendered.flatMap(({ text }) => readManifests(text)), ...others, ...rules]
  expect(await validateManifests(all)).toEqual([])

  const [deployment, cluster] = [workloads[0], others.find(({ kind }) => kind === 'Cluster')]
  const wrong = [
    { ...deployment, spec: { ...deployment?.spec, replicas: 'two' } },
    { ...deployment, spec: { ...deployment?.spec, replica: 2 } },
    { ...cluster, spec: { ...cluster?.spec, postgresql: { synchronous: { method: 'any', count: 1 } } } },
  ] as Manifest[]
  for (const manifest of wrong) expect(await validateManifests([manifest])).not.toEqual([])
})

test('every pod runs without privileges, without a token and with secrets only as files of existing Secrets', () => {
  expect(workloads).toHaveLength(13)
  for (const { spec } of workloads) {
    const pod = spec.template.spec
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(pod.containers).toHaveLength(1)
    const [container] = pod.containers
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.resources.limits.memory).toBeDefined()
    const names = container.env.map(({ name }: { name: string }) => name)
    expect(names).toContain('MASTER_KEY_FILE')
    expect(new Set(names).size).toBe(names.length)
    expect(
      names.filter(
        (name: string) =>
          /^(?:DATABASE_URL|MASTER_KEY.*|REDIS_URL|SMTP_URL|OIDC_CLIENT_SECRET|OTEL_EXPORTER_OTLP_HEADERS)$/.test(
            name,
          ) && !name.endsWith('_FILE'),
      ),
    ).toEqual([])
    const mounted = container.volumeMounts.map(({ name }: { name: string }) => name).toSorted()
    expect(pod.volumes.map(({ name }: { name: string }) => name).toSorted()).toEqual(mounted)
  }
  expect(rendered.flatMap(({ text }) => readManifests(text)).filter(({ kind }) => kind === 'Secret')).toEqual(
    [],
  )
})

test('only a process that hangs is restarted, and a pod has time to drain', () => {
  for (const { kind, metadata, spec } of workloads.filter((workload) => workload.kind === 'Deployment')) {
    const pod = spec.template.spec
    const [container] = pod.containers
    const isServe = metadata.name.endsWith('-serve')
    const port = isServe ? 'http' : 'metrics'
    expect([kind, container.livenessProbe.httpGet]).toEqual([kind, { path: '/healthz', port }])
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port })
    expect(container.ports.map(({ name }: { name: string }) => name)).toContain(port)
    const preStop = container.lifecycle?.preStop.sleep.seconds ?? 0
    expect(isServe).toBe(preStop > 0)
    // What docs/operate/containers.md allows.
    expect(pod.terminationGracePeriodSeconds - preStop).toBe(20)
    expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
  }
})

test('the migration runs before everything else and uses nothing of the chart', () => {
  const hooks = everything.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined)
  expect(hooks.map(({ kind }) => kind).toSorted()).toEqual(['Job', 'NetworkPolicy'])
  for (const { metadata } of hooks)
    expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  const pod = hooks.find(({ kind }) => kind === 'Job')?.spec.template.spec
  expect(pod.serviceAccountName).toBeUndefined()
  expect(pod.volumes.map((volume: object) => Object.keys(volume).find((key) => key !== 'name'))).toEqual([
    'projected',
    'emptyDir',
  ])
})

test('selectors find the pods that they mean, and policies let in and out only what is listed', () => {
  const labelsOf = (component: string) =>
    everything.find(
      ({ metadata, kind }) =>
        (kind === 'Deployment' || kind === 'Job') && metadata.name === `vidimus-${component}`,
    )?.spec.template.metadata.labels ?? {}
  const selected = (selector: Record<string, string>) =>
    ['serve', 'work', 'migrate'].filter((component) =>
      Object.entries(selector).every(([name, value]) => labelsOf(component)[name] === value),
    )
  const of = (kind: string) => everything.filter((manifest) => manifest.kind === kind)
  expect(selected(of('Service')[0]?.spec.selector)).toEqual(['serve'])
  expect(of('PodDisruptionBudget').flatMap(({ spec }) => selected(spec.selector.matchLabels))).toEqual([
    'serve',
    'work',
  ])
  expect(of('HorizontalPodAutoscaler')[0]?.spec.scaleTargetRef.name).toBe('vidimus-serve')

  const policies = of('NetworkPolicy')
  const policyOf = (component: string) =>
    policies.find(({ spec }) => selected(spec.podSelector.matchLabels).join() === component)?.spec
  const ports = (rules: { ports: { port?: string | number }[] }[]) =>
    rules.map((rule) => rule.ports.map(({ port }) => port ?? 'every'))
  expect(ports(policyOf('serve').ingress)).toEqual([['http'], ['metrics']])
  expect(ports(policyOf('serve').egress)).toEqual([[53, 53], [5432], [6379], [80, 443]])
  expect(ports(policyOf('work').ingress)).toEqual([['metrics']])
  expect(ports(policyOf('work').egress)).toEqual([[53, 53], [5432], [6379], ['every'], [587]])
  expect(ports(policyOf('migrate').egress)).toEqual([[53, 53], [5432]])
  expect(policyOf('migrate').ingress).toEqual([])
  for (const { spec } of policies) expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
  const outside = policyOf('work').egress[3].to.flatMap(
    ({ ipBlock }: { ipBlock: { except: string[] } }) => ipBlock.except,
  )
  expect(outside).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', 'fc00::/7']))
})

test('the chart embeds the alert rules and the dashboard themselves, and has the version of the program', () => {
  for (const name of ['alerts.yaml', 'grafana-dashboard.json']) {
    const file = `${chart}/files/${name}`
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(relative('.', realpathSync(file))).toBe(`deploy/${name}`)
    expect(read(`${chart}/templates/monitoring.yaml`)).toContain(`.Files.Get "files/${name}"`)
  }
  const { version } = JSON.parse(read('package.json'))
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version })
})

test('the table of values has every value with its default and its meaning', () => {
  const rows = [...renderValuesTable().matchAll(/^\| `([\w.]+)` \| (.*) \| (.+) \|$/gm)]
  const named = rows.map(([, path = '']) => path.split('.')[0])

  expect(rows.find(([, path]) => path === 'serve.replicas')?.[2]).toBe('`2`')
  expect([...new Set(named)]).toEqual(Object.keys(parse(read(`${chart}/values.yaml`))))
})
