// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

/**
 * Who signed the credential.
 *
 * @param commonName The common name in the certificate that signed the credential.
 * @param country The country in that certificate, as two letters.
 */
public record CredentialResultIssuer(
    String commonName,
    String country) {}
