/**
 * Schemes that belong to a browser, the operating system or another program. Opening one could run a script, read a file, start a
 * call or launch a program.
 */
const foreignSchemes = new Set(
  [
    'about blob chrome chrome-extension data devtools edge feed file filesystem jar javascript moz-extension opera',
    'resource safari-web-extension vbscript view-source wyciwyg',
    'android-app intent itms itms-apps itms-services market shortcuts steam',
    'callto dav facetime facetime-audio ftp geo git imap irc ldap ldaps magnet mailto maps news nfs nntp pop rlogin rtsp',
    'sftp sip sips skype sms smb snmp ssh svn tel telnet tftp urn vnc webcal ws wss xmpp',
    'av mdoc openid4vp openid-credential-offer haip haip-vp eudi-openid4vp mdoc-openid4vp',
  ].flatMap((line) => line.split(' ')),
)
/** Handlers built into Windows and macOS: `ms-msdt:`, `search-ms:`, `x-apple.systempreferences:`. */
const systemHandlers =
  /^(?:ms-|x-apple|search(?:-ms)?$|onenote|outlook|office|prefs$|app-prefs$|help$|hcp$|mk$|shell$)/

/**
 * Whether a wallet may redirect its holder to this URI (CREATE-11): http or https, a private-use scheme based on a domain name
 * (RFC 8252 §7.1), or another app scheme in the form `app://…`. User names and passwords are not allowed: readers mistake the part
 * before the `@` for the host, and it may contain a secret.
 */
export function isRedirectTarget(uri: string): boolean {
  const url = URL.parse(uri)
  if (url === null || url.username !== '' || url.password !== '') return false
  const scheme = url.protocol.slice(0, -1).toLowerCase()
  if (scheme === 'https' || scheme === 'http') return true
  if (foreignSchemes.has(scheme) || systemHandlers.test(scheme)) return false
  return scheme.includes('.') || /^[^:]+:\/\//.test(uri)
}
