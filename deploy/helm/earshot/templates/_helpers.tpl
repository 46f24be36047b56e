{{- define "earshot.labels" -}}
app.kubernetes.io/name: earshot
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "earshot.selector" -}}
app.kubernetes.io/name: earshot
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "earshot.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* Secrets are files, which no list of processes shows and no child inherits. Called with the keys. */}}
{{- define "earshot.secretFiles" -}}
{{- range . }}
- { name: {{ . }}_FILE, value: /run/secrets/earshot/{{ . }} }
{{- end }}
{{- end }}

{{/* Called with the chart and which keys of which Secrets the pod has: a list of {name, keys}. */}}
{{- define "earshot.volumes" -}}
- name: tmp
  emptyDir: {}
- name: secrets
  projected:
    # Of the group that the containers run as.
    defaultMode: 0440
    sources:
      {{- range . }}
      - secret:
          name: {{ .name }}
          items:
            {{- range .keys }}
            - { key: {{ . }}, path: {{ . }} }
            {{- end }}
      {{- end }}
{{- end }}

{{/* What every container of the image has. */}}
{{- define "earshot.container" -}}
image: {{ .Values.image.name | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: secrets
    mountPath: /run/secrets/earshot
    readOnly: true
env:
  - { name: EARSHOT_WORKER_METRICS, value: 0.0.0.0:9464 }
  - { name: EARSHOT_WORKER_HEALTH, value: 0.0.0.0:9465 }
  {{- with .Values.trustedProxies }}
  - { name: EARSHOT_TRUSTED_PROXIES, value: {{ join "," . | quote }} }
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end }}
