package org.vidimus;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.vidimus.model.ListVerificationsOptions;
import org.vidimus.model.Verification;
import org.vidimus.model.VerificationList;
import org.vidimus.model.VerificationStatus;

/** What verifications have besides the operations of the contract. */
abstract class WaitingResource extends Resource {
    /** A verification lives for at most an hour; one minute more allows for clock skew. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(61);

    WaitingResource(Connection connection) {
        super(connection);
    }

    abstract VerificationStatus status(String id);

    abstract Verification retrieve(String id);

    /** The address of the page on which the holder continues with their wallet. */
    public String pageUrl(Verification verification) {
        if (verification.pageUrl() != null) return verification.pageUrl();
        return connection.baseUrl + new Request("GET", "/verify/{id}", verification.id()).path;
    }

    /** Waits until the verification is {@code completed}, {@code failed} or {@code expired}, and returns it. */
    public Verification waitForCompletion(String id) {
        return waitForCompletion(id, MAX_WAIT, Duration.ofSeconds(1));
    }

    /** Waits at most this long, and asks in this interval. Then throws a {@code StillPendingException}. */
    public Verification waitForCompletion(String id, Duration timeout, Duration interval) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while ("pending".equals(status(id).status())) {
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            if (left.isNegative() || left.isZero()) {
                throw new StillPendingException("The verification is still pending after " + timeout.toMillis() + " ms.");
            }
            connection.sleep(left.compareTo(interval) < 0 ? left : interval);
        }
        return retrieve(id);
    }

    static Iterable<Verification> pages(
            ListVerificationsOptions given, Function<ListVerificationsOptions, VerificationList> list) {
        return () -> new Pages(given, list);
    }

    private static final class Pages implements Iterator<Verification> {
        private final ListVerificationsOptions options = new ListVerificationsOptions().limit(100L);
        private final Function<ListVerificationsOptions, VerificationList> list;
        private Iterator<Verification> page = List.<Verification>of().iterator();
        private boolean done;

        Pages(ListVerificationsOptions given, Function<ListVerificationsOptions, VerificationList> list) {
            Parameters.copy(given, options);
            this.list = list;
        }

        @Override
        public boolean hasNext() {
            while (!page.hasNext() && !done) fetch();
            return page.hasNext();
        }

        @Override
        public Verification next() {
            if (!hasNext()) throw new NoSuchElementException();
            return page.next();
        }

        private void fetch() {
            VerificationList fetched = list.apply(options);
            List<Verification> data = fetched.data();
            page = data.iterator();
            // A filtered page may be short; only nextBefore says whether more follow.
            boolean full = !data.isEmpty() && data.size() >= (Long) options.members().get("limit");
            String next = fetched.nextBefore() != null ? fetched.nextBefore() : full ? data.get(data.size() - 1).createdAt() : null;
            options.before(next);
            done = next == null;
        }
    }
}
