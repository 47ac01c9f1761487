// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param id The id of the device.
 * @param name The name that you gave it.
 * @param status `pending` until it is paired, then `active`. A new pairing code makes it `pending` again. A `revoked` device never becomes active again.
 * @param allowedTemplates The templates that it may use.
 * @param createdAt When it was registered.
 * @param pairingExpiresAt Until when the pairing code works. Present only while pending.
 * @param enrolledAt When it was paired.
 * @param lastSeenAt When it last sent a request, to within a minute.
 * @param revokedAt When it was revoked.
 */
public record Device(
    String id,
    String name,
    String status,
    List<String> allowedTemplates,
    String createdAt,
    String pairingExpiresAt,
    String enrolledAt,
    String lastSeenAt,
    String revokedAt) {}
