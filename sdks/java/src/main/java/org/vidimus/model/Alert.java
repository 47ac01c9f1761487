// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.Map;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param id The id of the alert.
 * @param kind What happened.
 * @param environment The environment. Absent if the alert concerns the whole tenant.
 * @param subject What it is about, by kind: the id of the endpoint or device, the day of the quota, the fingerprint of the certificate, the id of the registration, the URL of the trust list, or an id of the change.
 * @param details More about it. The members depend on the kind; ignore those that you do not know.
 * @param raisedAt When it was raised.
 * @param resolvedAt When its cause was gone. Absent while it is open.
 */
public record Alert(
    String id,
    String kind,
    String environment,
    String subject,
    Map<String, Object> details,
    String raisedAt,
    String resolvedAt) {}
