// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus;

import org.vidimus.model.ComparePhoto;
import org.vidimus.model.CreateVerification;
import org.vidimus.model.CreateVerificationOptions;
import org.vidimus.model.Erasure;
import org.vidimus.model.ListVerificationsOptions;
import org.vidimus.model.PhotoComparison;
import org.vidimus.model.RedeemResponseCode;
import org.vidimus.model.Verification;
import org.vidimus.model.VerificationList;
import org.vidimus.model.VerificationStatus;

/** Requests verifications and reads their results. */
public final class VerificationsResource extends WaitingResource {
    VerificationsResource(Connection connection) {
        super(connection);
    }

    /** Create a verification. */
    public Verification create(CreateVerification body) {
        return create(body, new CreateVerificationOptions());
    }

    /** Create a verification. */
    public Verification create(CreateVerification body, CreateVerificationOptions options) {
        return connection.call(Verification.class, new Request("POST", "/v1/verifications")
            .repeatable()
            .body(body.members())
            .query(options, "strict")
            .idempotencyKey(options));
    }

    /** Get a verification. */
    public Verification retrieve(String id) {
        return connection.call(Verification.class, new Request("GET", "/v1/verifications/{id}", id)
            .repeatable());
    }

    /** List verifications, newest first. */
    public VerificationList list() {
        return list(new ListVerificationsOptions());
    }

    /** List verifications, newest first. */
    public VerificationList list(ListVerificationsOptions options) {
        return connection.call(VerificationList.class, new Request("GET", "/v1/verifications")
            .repeatable()
            .query(options, "limit", "before", "status", "template", "created_after", "created_before", "metadata"));
    }

    /** Iterates over all pages, newest first. What is created in the meantime causes no gaps or duplicates. */
    public Iterable<Verification> listAll(ListVerificationsOptions options) {
        return pages(options, this::list);
    }

    /** Cancel a verification that no wallet has responded to. */
    public Verification cancel(String id) {
        return connection.call(Verification.class, new Request("POST", "/v1/verifications/{id}/cancel", id)
            .repeatable());
    }

    /** Record whether the photo of a completed verification shows the person who is present. */
    public PhotoComparison compare(String id, ComparePhoto body) {
        return connection.call(PhotoComparison.class, new Request("POST", "/v1/verifications/{id}/comparison", id)
            .repeatable()
            .body(body.members()));
    }

    /** Redeem a response code (works once). */
    public Verification redeem(String id, RedeemResponseCode body) {
        return connection.call(Verification.class, new Request("POST", "/v1/verifications/{id}/redeem", id)
            .body(body.members()));
    }

    /** Permanently erase a verification and everything derived from it. */
    public Erasure delete(String id) {
        return connection.call(Erasure.class, new Request("DELETE", "/v1/verifications/{id}", id)
            .repeatable());
    }

    /** Get the status (no key needed). */
    public VerificationStatus status(String id) {
        return connection.call(VerificationStatus.class, new Request("GET", "/v1/verifications/{id}/status", id)
            .repeatable()
            .withoutKey());
    }
}
