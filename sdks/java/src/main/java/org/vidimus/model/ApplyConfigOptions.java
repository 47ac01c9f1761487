// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import org.vidimus.Parameters;

/** The options of applyConfig. */
public final class ApplyConfigOptions extends Parameters<ApplyConfigOptions> {
    /** Plans and checks, and changes nothing. */
    public ApplyConfigOptions dryRun(Boolean value) { return set("dry_run", value); }
    /** Deletes what the parts of the document do not name. */
    public ApplyConfigOptions prune(Boolean value) { return set("prune", value); }
    /** The `ETag` of the configuration that you expect. If it has changed, nothing is applied. */
    public ApplyConfigOptions ifMatch(String value) { return set("if_match", value); }
}
