{{- define "vidimus.name" -}}
{{- if contains "vidimus" .Release.Name }}{{ .Release.Name | trunc 48 | trimSuffix "-" }}{{ else }}{{ printf "%s-vidimus" .Release.Name | trunc 48 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Takes a list: the root context and the component. */}}
{{- define "vidimus.selector" -}}
app.kubernetes.io/name: vidimus
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "vidimus.labels" -}}
{{ include "vidimus.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end }}

{{- define "vidimus.image" -}}
{{- $image := .Values.image -}}
{{ $image.repository }}{{ if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* The name of each secret's file in /run/secrets/vidimus, which is that of its variable. */}}
{{- define "vidimus.secretFiles" -}}
databaseUrl: DATABASE_URL
masterKey: MASTER_KEY
masterKeyPrevious: MASTER_KEY_PREVIOUS
redisUrl: REDIS_URL
oidcClientSecret: OIDC_CLIENT_SECRET
operatorOidcClientSecret: OPERATOR_OIDC_CLIENT_SECRET
smtpUrl: SMTP_URL
billingSecret: BILLING_SECRET
otlpHeaders: OTEL_EXPORTER_OTLP_HEADERS
{{- end }}

{{/* The port of the console; nothing if it is off. */}}
{{- define "vidimus.console" -}}
{{- with .Values.config.OPERATOR_PORT -}}
{{- if ne . "off" }}{{ . }}{{ end -}}
{{- end -}}
{{- end }}

{{- define "vidimus.podSecurity" -}}
runAsUser: 1000
runAsGroup: 1000
runAsNonRoot: true
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "vidimus.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "vidimus.environment" -}}
{{- $values := .Values -}}
{{- range $name, $value := $values.config }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
- { name: NODE_ENV, value: production }
- { name: PORT, value: '8080' }
- { name: METRICS_HOST, value: 0.0.0.0 }
- { name: METRICS_PORT, value: '9464' }
{{- if and (include "vidimus.console" .) (not $values.config.OPERATOR_HOST) }}
- { name: OPERATOR_HOST, value: 0.0.0.0 }
{{- end }}
{{- range $secret, $variable := include "vidimus.secretFiles" . | fromYaml }}
{{- if (index $values.secrets $secret).name }}
- { name: {{ $variable }}_FILE, value: /run/secrets/vidimus/{{ $variable }} }
{{- end }}
{{- end }}
{{- if $values.secrets.accessCertificate.name }}
{{- if not $values.config.SIGNING_KEY_URI }}
- { name: SIGNING_KEY_FILE, value: /run/secrets/vidimus/access.key }
{{- end }}
- { name: SIGNING_CERT_FILE, value: /run/secrets/vidimus/access.pem }
{{- end }}
{{- if $values.database.ca.name }}
- { name: PGSSLMODE, value: verify-full }
- { name: NODE_EXTRA_CA_CERTS, value: /run/secrets/vidimus/database-ca.pem }
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* One volume with the file of every Secret that is named. */}}
{{- define "vidimus.secretVolume" -}}
{{- $secrets := .Values.secrets -}}
name: secrets
projected:
  # 0440, for the group that fsGroup names.
  defaultMode: 288
  sources:
    {{- range $secret, $variable := include "vidimus.secretFiles" . | fromYaml }}
    {{- with index $secrets $secret }}
    {{- if .name }}
    - secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: {{ $variable }} }] }
    {{- end }}
    {{- end }}
    {{- end }}
    {{- with $secrets.accessCertificate }}
    {{- if .name }}
    - secret: { name: {{ .name }}, items: [{{ if not $.Values.config.SIGNING_KEY_URI }}{ key: {{ .key }}, path: access.key }, {{ end }}{ key: {{ .certificate }}, path: access.pem }] }
    {{- end }}
    {{- end }}
    {{- with .Values.database.ca }}
    {{- if .name }}
    - secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: database-ca.pem }] }
    {{- end }}
    {{- end }}
{{- end }}
