// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
package org.vidimus.model;

import java.util.List;

/**
 * What the service returns. A member that is absent is null.
 *
 * @param applied Whether the configuration is now as sent. False after a dry run.
 * @param changes What differs, in the order in which it is changed.
 * @param unchanged How many parts are as sent already.
 * @param kept How many are not in the document and stay, because `prune` was not given.
 * @param secrets The secrets of what was created.
 * @param failure Why a change was not made. It and those after it are not applied; send the document again to complete it.
 */
public record AppliedConfig(
    boolean applied,
    List<ConfigChange> changes,
    long unchanged,
    long kept,
    List<AppliedConfigSecret> secrets,
    AppliedConfigFailure failure) {}
