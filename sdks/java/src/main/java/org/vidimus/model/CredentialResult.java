// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;
import java.util.Map;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param format The credential format: ISO 18013-5 mdoc or SD-JWT VC.
 * @param doctypeOrVct The document type of an mdoc, or the `vct` of an SD-JWT VC.
 * @param claims The verified claims of this credential.
 * @param issuer Who signed the credential.
 * @param trusted Whether the issuer is on a trusted list.
 * @param signatureValid Whether the issuer's signature is valid.
 * @param holderBindingValid Whether the wallet proved, for this request, that it holds the key of the credential.
 * @param findings The checks that did not pass.
 */
public record CredentialResult(
    String format,
    String doctypeOrVct,
    Map<String, Object> claims,
    CredentialResultIssuer issuer,
    boolean trusted,
    boolean signatureValid,
    boolean holderBindingValid,
    List<Finding> findings) {}
