// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus;

import org.vidimus.model.Usage;

/** The daily quota and usage. */
public final class UsageResource extends Resource {
    UsageResource(Connection connection) {
        super(connection);
    }

    /** Get the daily usage. */
    public Usage retrieve() {
        return connection.call(Usage.class, new Request("GET", "/v1/usage").repeatable());
    }
}
