package vidimus

import (
	"context"
	"net/url"
	"time"
)

// A verification lives for at most an hour; one minute more allows for clock skew.
const maxWait = 61 * time.Minute

// WaitOptions are the options of WaitForCompletion.
type WaitOptions struct {
	// By default until the verification has a result or expires, at most about an hour.
	Timeout time.Duration
	// How often to ask. By default every second.
	Interval time.Duration
}

// PageURL returns the address of the page on which the holder continues with their wallet.
func (r *VerificationsResource) PageURL(verification *Verification) string {
	if verification.PageURL != "" {
		return verification.PageURL
	}
	return r.client.options.BaseURL + "/verify/" + url.PathEscape(verification.ID)
}

// WaitForCompletion waits until the verification is completed, failed or expired, and returns it. Options can be nil. After the time-out it
// returns ErrStillPending.
func (r *VerificationsResource) WaitForCompletion(ctx context.Context, id string, options *WaitOptions) (*Verification, error) {
	timeout, interval := maxWait, time.Second
	if options != nil && options.Timeout != 0 {
		timeout = options.Timeout
	}
	if options != nil && options.Interval != 0 {
		interval = options.Interval
	}
	deadline := time.Now().Add(timeout)
	for {
		status, err := r.Status(ctx, id)
		if err != nil {
			return nil, err
		}
		if status.Status != "pending" {
			return r.Retrieve(ctx, id)
		}
		left := time.Until(deadline)
		if left <= 0 {
			return nil, ErrStillPending
		}
		if left > interval {
			left = interval
		}
		if err := r.client.options.Sleep(ctx, left); err != nil {
			return nil, err
		}
	}
}

// VerificationIterator goes through all pages of a list:
//
//	all := client.Verifications.ListAll(ctx, nil)
//	for all.Next() {
//		use(all.Value())
//	}
//	if err := all.Err(); err != nil { … }
type VerificationIterator struct {
	ctx      context.Context
	resource *VerificationsResource
	options  ListVerificationsOptions
	page     []Verification
	value    *Verification
	done     bool
	err      error
}

func newVerificationIterator(ctx context.Context, resource *VerificationsResource, options *ListVerificationsOptions) *VerificationIterator {
	iterator := &VerificationIterator{ctx: ctx, resource: resource}
	if options != nil {
		iterator.options = *options
	}
	if iterator.options.Limit == 0 {
		iterator.options.Limit = 100
	}
	return iterator
}

// Next moves to the next verification. False at the end, or after an error.
func (i *VerificationIterator) Next() bool {
	for len(i.page) == 0 {
		if i.done || i.err != nil {
			return false
		}
		i.fetch()
	}
	i.value, i.page = &i.page[0], i.page[1:]
	return true
}

// Value returns the current verification.
func (i *VerificationIterator) Value() *Verification { return i.value }

// Err returns the error that ended the iteration, if any.
func (i *VerificationIterator) Err() error { return i.err }

func (i *VerificationIterator) fetch() {
	list, err := i.resource.List(i.ctx, &i.options)
	if err != nil {
		i.err = err
		return
	}
	i.page = list.Data
	// A filtered page may be short; only NextBefore says whether more follow.
	next := list.NextBefore
	if next == "" && len(list.Data) > 0 && len(list.Data) >= i.options.Limit {
		next = list.Data[len(list.Data)-1].CreatedAt
	}
	i.options.Before, i.done = next, next == ""
}
