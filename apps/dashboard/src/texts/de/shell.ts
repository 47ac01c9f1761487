import type { ShellTexts } from '../en/shell.ts'

export const shell: ShellTexts = {
  environment: 'Umgebung',
  home: 'Vidimus, Übersicht',
  switch_to: 'Zu {tenant} wechseln',
  other_tenant: 'Bei einem weiteren Mandanten anmelden',
  test_data: 'Testdaten. Personen und Nachweise sind erfunden.',
  pages: {
    overview: 'Übersicht',
    verifications: 'Überprüfungen',
    links: 'Links',
    erasures: 'Löschanfragen',
    templates: 'Vorlagen',
    registrations: 'Registrierungen',
    devices: 'Geräte',
    keys: 'API-Schlüssel',
    openid_clients: 'OpenID-Clients',
    webhooks: 'Webhooks',
    requests: 'Anfragen',
    usage: 'Nutzung',
    alerts: 'Meldungen',
    audit: 'Audit-Protokoll',
    team: 'Team',
    settings: 'Einstellungen',
    reference: 'API-Referenz',
  },
  suspension: {
    suspended:
      'Der Betreiber hat dieses Konto am {since} gesperrt. Es lassen sich keine Prüfungen erstellen.',
    closed: 'Der Betreiber hat dieses Konto am {since} geschlossen. Es wird gelöscht.',
    goes_on: 'Sie können weiterhin alles lesen, exportieren und löschen.',
  },
  approval: {
    pending:
      'Live-Prüfungen und Live-Schlüssel warten auf die Freigabe durch den Betreiber. Im Test funktioniert alles.',
    waiting:
      'Dieses Konto wartet auf die Freigabe durch den Betreiber. Bis dahin lassen sich keine Prüfungen erstellen.',
    refused: 'Der Betreiber hat Live-Prüfungen nicht freigegeben. Der Grund steht im Audit-Protokoll.',
  },
  support: {
    tenant:
      '{name} lässt den Support des Betreibers bis {until} einsehen: keine Angaben, keine Geheimnisse, keine Änderungen.',
    operator:
      '{name} vom Support des Betreibers darf bis {until} einsehen: keine Angaben, keine Geheimnisse, keine Änderungen.',
    end: 'Beenden',
  },
  return_link: {
    operator: 'Der Betreiber des Dienstes',
    created: '{creator} hat am {at} einen Anmeldelink für Sie erstellt.',
    not_used: 'Er wurde nicht verwendet.',
    used: 'Er wurde am {at} verwendet.',
    advice: 'Wenn Sie das nicht waren, {link} und informieren Sie einen Eigentümer.',
    check_passkeys: 'prüfen Sie Ihre Passkeys',
  },
}
