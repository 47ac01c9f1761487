// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus;

import java.util.Map;
import org.vidimus.model.AppliedConfig;
import org.vidimus.model.ApplyConfigOptions;

/** The whole configuration as one document. */
public final class ConfigResource extends Resource {
    ConfigResource(Connection connection) {
        super(connection);
    }

    /** Export the configuration. */
    public Map<String, Object> export() {
        return connection.callForJson(new Request("GET", "/v1/config").repeatable());
    }

    /** Apply a configuration. */
    public AppliedConfig apply(Map<String, Object> document) {
        return apply(document, new ApplyConfigOptions());
    }

    /** Apply a configuration. */
    public AppliedConfig apply(Map<String, Object> document, ApplyConfigOptions options) {
        return connection.call(AppliedConfig.class, new Request("PUT", "/v1/config")
            .repeatableIf(options, "dry_run")
            .body(document)
            .query(options, "dry_run", "prune")
            .header("If-Match", options, "if_match"));
    }
}
