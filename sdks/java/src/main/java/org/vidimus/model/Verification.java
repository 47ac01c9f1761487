// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;
import java.util.Map;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param id The id of the verification. Whoever knows it can poll the status.
 * @param status `pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time.
 * @param template The template, if the verification was created with one.
 * @param walletUri Show it as a QR code or a link. Present only while pending.
 * @param requestUri Where the wallet fetches the signed request. Present only while pending.
 * @param claims The verified claims of all credentials, merged. Present only if completed.
 * @param credentials The presented credentials with their checks. Present once a wallet has responded.
 * @param error Why the verification failed. Present only if failed.
 * @param metadata What you gave at creation.
 * @param purpose The reason, as the holder is told.
 * @param redirectUrl Where the holder is sent afterwards.
 * @param createdAt When it was created.
 * @param expiresAt Until when a wallet can respond.
 * @param respondedAt When a wallet responded. Absent while nobody has.
 * @param pageUrl The address of the holder's page, if the service named it.
 */
public record Verification(
    String id,
    String status,
    String template,
    String walletUri,
    String requestUri,
    Map<String, Object> claims,
    List<CredentialResult> credentials,
    VerificationError error,
    Map<String, String> metadata,
    String purpose,
    String redirectUrl,
    String createdAt,
    String expiresAt,
    String respondedAt,
    String pageUrl) {}
