/** What an inspector reads. The languages are those of the dashboard, from which receipts come. */
export type ReceiptTexts = typeof en

const en = {
  title: 'Check receipts',
  lead: 'A receipt shows that a service verified a digital identity, what was asked and how it ended. This page checks it on your computer: it cannot send anything, and works from a saved copy without a network.',
  key: 'Public key of the audit log',
  key_help:
    'From the operator of the service, best from another source than the receipt. Paste it, or choose its file below.',
  files: 'Choose receipts, and the file with the key',
  drop: 'or drop the files here',
  save: 'Save this page',
  print: 'Print',
  key_missing: 'Add the public key of the audit log first.',
  key_invalid: 'This is not a public key in the PEM format of the audit log.',
  not_receipt: 'has no receipt.',
  too_large: 'is larger than 16 MB.',
  cannot_check: 'This browser cannot check Ed25519 signatures. Use a current one.',
  summary: '{valid} of {all} receipts are valid.',
  valid: 'Valid',
  invalid: 'Not valid',
  changed: 'It was changed, belongs to another log, or is not complete. Do not rely on it.',
  completed:
    'On {responded}, the service stated that verification {id} was completed: the holder presented what was asked, and every check passed.',
  failed: 'On {responded}, the service stated that verification {id} failed with the code {code}.',
  template: 'It asked with the template {key}, version {version}.',
  query: 'It asked with a query of its own, of which the hash is {hash}.',
  live: 'It asked in the name of {client}, in the live environment.',
  test: 'It asked in the name of {client}, in the test environment: the person is made up.',
  credential:
    'A credential {type}: issuer {trusted}, signature {signature}, bound to the holder: {bound}. {checks}',
  trusted: 'trusted',
  not_trusted: 'not trusted',
  signature_valid: 'valid',
  signature_invalid: 'not valid',
  yes: 'yes',
  no: 'no',
  passed: 'All checks passed.',
  not_passed: 'Checks that did not pass: {checks}.',
  sealed: 'The result was encrypted to the merchant. Its hash is {hash}.',
  unsealed: 'The receipt has no personal data, and no hash of any.',
  signed:
    'The audit log was signed over it at {at}. From then on nobody could change or delete the entry unnoticed.',
  meaning:
    'A valid receipt proves what the service stated at that time. It does not prove that this was true, how old somebody is, or that the verification was kept: it may have been erased since. A copy stays valid after an erasure.',
}

const de: ReceiptTexts = {
  title: 'Nachweise prüfen',
  lead: 'Ein Nachweis zeigt, dass ein Dienst eine digitale Identität geprüft hat, was gefragt wurde und wie es ausging. Diese Seite prüft ihn auf Ihrem Rechner: Sie kann nichts senden und funktioniert gespeichert auch ohne Netz.',
  key: 'Öffentlicher Schlüssel des Audit-Logs',
  key_help:
    'Vom Betreiber des Dienstes, am besten aus anderer Quelle als der Nachweis. Einfügen oder unten als Datei wählen.',
  files: 'Nachweise und die Datei mit dem Schlüssel wählen',
  drop: 'oder die Dateien hier ablegen',
  save: 'Diese Seite speichern',
  print: 'Drucken',
  key_missing: 'Fügen Sie zuerst den öffentlichen Schlüssel des Audit-Logs hinzu.',
  key_invalid: 'Das ist kein öffentlicher Schlüssel im PEM-Format des Audit-Logs.',
  not_receipt: 'enthält keinen Nachweis.',
  too_large: 'ist größer als 16 MB.',
  cannot_check: 'Dieser Browser kann Ed25519-Signaturen nicht prüfen. Nehmen Sie einen aktuellen.',
  summary: '{valid} von {all} Nachweisen sind gültig.',
  valid: 'Gültig',
  invalid: 'Nicht gültig',
  changed:
    'Er wurde verändert, gehört zu einem anderen Log oder ist nicht vollständig. Verlassen Sie sich nicht darauf.',
  completed:
    'Am {responded} hat der Dienst festgehalten, dass die Verifikation {id} abgeschlossen wurde: Vorgelegt wurde, wonach gefragt war, und alle Prüfungen wurden bestanden.',
  failed:
    'Am {responded} hat der Dienst festgehalten, dass die Verifikation {id} mit dem Code {code} fehlgeschlagen ist.',
  template: 'Gefragt wurde mit der Vorlage {key}, Version {version}.',
  query: 'Gefragt wurde mit einer eigenen Abfrage mit dem Hash {hash}.',
  live: 'Gefragt wurde im Namen von {client}, in der Live-Umgebung.',
  test: 'Gefragt wurde im Namen von {client}, in der Testumgebung: Die Person ist erfunden.',
  credential:
    'Ein Nachweis {type}: Aussteller {trusted}, Signatur {signature}, an die Person gebunden: {bound}. {checks}',
  trusted: 'vertrauenswürdig',
  not_trusted: 'nicht vertrauenswürdig',
  signature_valid: 'gültig',
  signature_invalid: 'ungültig',
  yes: 'ja',
  no: 'nein',
  passed: 'Alle Prüfungen wurden bestanden.',
  not_passed: 'Nicht bestanden: {checks}.',
  sealed: 'Das Ergebnis wurde für den Händler verschlüsselt. Sein Hash ist {hash}.',
  unsealed: 'Der Nachweis enthält keine persönlichen Daten und keinen Hash davon.',
  signed:
    'Das Audit-Log darüber wurde am {at} signiert. Seitdem konnte niemand den Eintrag unbemerkt ändern oder löschen.',
  meaning:
    'Ein gültiger Nachweis belegt, was der Dienst damals festgehalten hat. Er belegt nicht, dass es wahr war, wie alt jemand ist oder dass die Verifikation noch gespeichert ist: Sie kann inzwischen gelöscht sein. Eine Kopie bleibt nach einer Löschung gültig.',
}

export const receiptTexts = { en, de }
export type ReceiptLanguage = keyof typeof receiptTexts
