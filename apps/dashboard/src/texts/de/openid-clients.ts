import type { OpenIdClientsTexts } from '../en/openid-clients.ts'

export const openIdClients: OpenIdClientsTexts = {
  title: 'OpenID-Clients',
  descriptions: {
    test: 'Websites, die allein durch Konfiguration Testüberprüfungen anfordern, etwa mit Auth0, Keycloak oder WordPress: Sie tragen Sie als OpenID-Provider ein.',
    live: 'Websites, die allein durch Konfiguration Überprüfungen anfordern, etwa mit Auth0, Keycloak oder WordPress: Sie tragen Sie als OpenID-Provider ein.',
  },
  captions: { test: 'OpenID-Clients der Testumgebung', live: 'OpenID-Clients der Live-Umgebung' },
  create: 'Client erstellen',
  templates: 'Vorlagen',
  missing: '{template} (gelöscht)',
  subject: 'Kennung (sub)',
  ephemeral: 'Bei jedem Besuch neu',
  secret: 'Geheimnis',
  no_secret: 'Keines, PKCE',
  one_secret: 'Gültig',
  two_secrets: 'Zwei gültig',
  refused: 'Letzte Anfrage abgelehnt',
  not_login: {
    title: 'Das ist eine Überprüfung, keine Anmeldung',
    what: 'Eine Wallet belegt Angaben über eine Person, nicht, wer wiederkommt. Wenn ein Client die Kennung nicht aus einer Angabe ableitet, wirkt jeder Besuch wie eine neue Person: Eine Website, die je Kennung ein Konto anlegt, legt bei jedem Besuch eines an.',
  },
  empty: {
    title: 'Noch keine OpenID-Clients',
    what: 'Ein Client ist eine Website mit den Adressen, zu denen Menschen zurückkehren, und den Vorlagen, die sie verwenden darf. Sie erhalten Issuer, Client-ID und Geheimnis zum Eintragen; Code ist nicht nötig.',
  },
  actions: {
    values: { button: 'Einrichten', label: 'Werte zum Einrichten von {name}' },
    edit: { button: 'Bearbeiten', label: '{name} bearbeiten' },
    roll: { button: 'Geheimnis ersetzen', label: 'Geheimnis ersetzen: {name}' },
    delete: { button: 'Löschen', label: '{name} löschen' },
  },
  form: {
    titles: { test: 'Test-Client erstellen', live: 'Live-Client erstellen' },
    edit_title: 'Client bearbeiten',
    save: 'Speichern',
    saved: 'Client gespeichert.',
    name_hint: 'Die Website, zum Beispiel „Webshop“.',
    name_missing: 'Geben Sie einen Namen ein.',
    redirects: 'Weiterleitungsadressen',
    redirects_hint:
      'Eine je Zeile, genau wie die Website sie sendet. Die Website zeigt ihre eigene an, oft als „Callback-URL“.',
    redirects_missing: 'Geben Sie mindestens eine Adresse ein.',
    templates_hint: 'Die Website wählt mit ihrem Scope eine davon. Höchstens {max}.',
    purpose: 'Zweck',
    purpose_hint: 'Optional. Menschen sehen ihn, bevor sie antworten.',
    subject_claim: 'Angabe für die Kennung',
    subject_claim_hint:
      'Optional. Eine Angabe, die Menschen unterscheidet und die jede Vorlage immer liefert, etwa personal_administrative_number. Leer: bei jedem Besuch eine neue Kennung.',
    cross_device: 'Wallet auf einem anderen Gerät zulassen',
    cross_device_hint:
      'Die Seite zeigt dann einen QR-Code. Risiko: Jemand kann den Code des eigenen Besuchs an eine andere Person weitergeben. Antwortet diese, ist der Absender in ihrem Namen angemeldet.',
    authentication: 'Authentifizierung',
    authentications: {
      secret: { label: 'Client-Geheimnis', hint: 'Für Websites mit einem Server. Das ist der Normalfall.' },
      none: { label: 'Keine, nur PKCE', hint: 'Für Apps und Seiten, die kein Geheimnis bewahren können.' },
    },
    pkce_required: 'PKCE verlangen',
    pkce_required_hint:
      'Schalten Sie es nur für Software aus, die PKCE nicht beherrscht. Eine Anfrage ohne PKCE braucht dann eine Nonce, die diese Software prüfen muss.',
    algorithm: 'Signatur der ID-Token',
    algorithm_hint: 'RS256 funktioniert überall. ES256 ergibt kürzere Token.',
  },
  values: {
    title: '„{name}“ einrichten',
    title_secret: 'Kopieren Sie jetzt das Geheimnis',
    description: 'Tragen Sie diese Werte bei der Website ein. Das Geheimnis wurde beim Erstellen angezeigt.',
    description_secret:
      'Tragen Sie diese Werte bei der Website ein. Das Geheimnis wird nur dieses eine Mal angezeigt; wenn Sie es verlieren, ersetzen Sie es.',
    issuer: 'Issuer',
    discovery: 'Discovery-Adresse',
    client_id: 'Client-ID',
    client_secret: 'Client-Geheimnis',
    scope: 'Scope',
    copy: '{name} kopieren',
    public_hint: 'Dieser Client hat kein Geheimnis. Wählen Sie „Public Client“ und PKCE mit S256.',
    secret_hint: 'Wählen Sie den Authorization Code Flow und PKCE mit S256.',
    nonce_hint: 'Wenn die Website PKCE nicht beherrscht, muss sie eine Nonce senden.',
    algorithm_hint: 'ID-Token werden mit {algorithm} signiert.',
    close: 'Schließen',
    copied: 'Ich habe es kopiert',
  },
  roll: {
    title: 'Geheimnis von „{name}“ ersetzen?',
    description:
      'Ein neues Geheimnis wird erstellt und einmal angezeigt. Tragen Sie es bei der Website ein, bevor das alte endet.',
    both_work: 'Es gelten schon zwei Geheimnisse. Ein neues beendet jetzt beide sofort.',
    overlap: 'Das alte Geheimnis gilt noch',
    now_hint: 'Alle früheren Geheimnisse enden sofort. Wählen Sie das, wenn eines bekannt geworden ist.',
    submit: 'Geheimnis ersetzen',
  },
  remove: {
    title: '„{name}“ löschen?',
    description:
      'Die Website kann keine Überprüfungen mehr anfordern, und laufende Besuche enden. Das lässt sich nicht rückgängig machen. Überprüfungen bleiben erhalten.',
    type_name: 'Geben Sie zur Bestätigung {name} ein',
    submit: 'Client löschen',
    done: '„{name}“ wurde gelöscht.',
  },
}
