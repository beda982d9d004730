//! The only table of codes and statuses (HTTP reference, "Codes").

/// Declares the rows of the table. The documentation of a row begins with its status and its code.
macro_rules! error_codes {
    ($($(#[$doc:meta])* $Row:ident = $status:literal $code:literal,)*) => {
        /// A row of the table of errors: an HTTP status and a `code` (HTTP reference, "Codes").
        ///
        /// `api_disabled` has two rows: 401 on a bearer route, 403 when a key is created. `insufficient_scope` too: 401 on
        /// a REST route, 403 on an MCP endpoint.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode {$(
            #[doc = concat!($status, " `", $code, "`:")]
            $(#[$doc])*
            $Row,
        )*}

        impl ErrorCode {
            /// Every row, in the order of the table.
            pub const ALL: [Self; [$($status),*].len()] = [$(Self::$Row),*];

            /// Returns the HTTP status and the `code` member of the problem body.
            #[must_use]
            pub const fn row(self) -> (u16, &'static str) {
                match self {
                    $(Self::$Row => ($status, $code),)*
                }
            }
        }
    };
}

error_codes! {
    /// the body is not a single JSON value of the accepted form.
    InvalidJson = 400 "invalid_json",
    /// a query parameter has an invalid value.
    InvalidQuery = 400 "invalid_query",
    /// the request violates HTTP.
    InvalidRequest = 400 "invalid_request",
    /// the idempotency key is not 1 to 255 characters of visible ASCII, or there is more than one.
    InvalidIdempotencyKey = 400 "invalid_idempotency_key",
    /// a bearer route was called without a bearer token.
    MissingToken = 401 "missing_token",
    /// the token is unknown, revoked, expired or malformed.
    InvalidToken = 401 "invalid_token",
    /// the token's user has not switched the personal API on.
    ApiDisabled = 401 "api_disabled",
    /// the token's user has no family.
    NoFamily = 401 "no_family",
    /// the token lacks the scope of a REST route.
    InsufficientScope = 401 "insufficient_scope",
    /// no user is signed in, or a sign-in failed.
    NotSignedIn = 401 "not_signed_in",
    /// a key for the personal API cannot be created while the personal API is switched off.
    ApiDisabledForKey = 403 "api_disabled",
    /// the token lacks a scope for a message on an MCP endpoint.
    McpScope = 403 "insufficient_scope",
    /// a session route that writes, or an MCP endpoint, was called from another site.
    CrossSiteRequest = 403 "cross_site_request",
    /// the record or path does not exist, or the caller cannot see it.
    NotFound = 404 "not_found",
    /// the path exists, but does not support the method.
    MethodNotAllowed = 405 "method_not_allowed",
    /// the user has the maximum number of active keys.
    KeyLimitReached = 409 "key_limit_reached",
    /// the user has the maximum number of live connections, none of them with this client.
    ConnectionLimitReached = 409 "connection_limit_reached",
    /// the user has the maximum number of calendar feeds.
    FeedLimitReached = 409 "feed_limit_reached",
    /// the consent form was submitted before.
    ConsentUsed = 409 "consent_used",
    /// the record contains other records.
    NotEmpty = 409 "not_empty",
    /// the family has the maximum number of records of this kind.
    RecordLimitReached = 409 "record_limit_reached",
    /// an earlier request with the same idempotency key is still running.
    IdempotencyRunning = 409 "idempotency_running",
    /// the log does not have every change since the state.
    SyncExpired = 410 "sync_expired",
    /// no entity tag in `If-Match` matches the current version of the record.
    PreconditionFailed = 412 "precondition_failed",
    /// the body is larger than the limit.
    PayloadTooLarge = 413 "payload_too_large",
    /// the route does not accept the media type of the body.
    UnsupportedMediaType = 415 "unsupported_media_type",
    /// the idempotency key was used for another request.
    IdempotencyMismatch = 422 "idempotency_mismatch",
    /// fields of the body are invalid.
    InvalidField = 422 "invalid_field",
    /// the caller has exceeded a rate limit.
    RateLimited = 429 "rate_limited",
    /// the service is temporarily unavailable, or sheds load.
    Unavailable = 503 "unavailable",
    /// any other error.
    Internal = 500 "internal",
}

impl ErrorCode {
    /// Returns the HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        self.row().0
    }

    /// Returns the `code` member of the problem body.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Returns the `title` member of the problem body: the name of the status (RFC 9110).
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self.status() {
            400 => "Bad Request",
            401 => "Unauthorized",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            409 => "Conflict",
            410 => "Gone",
            412 => "Precondition Failed",
            413 => "Content Too Large",
            415 => "Unsupported Media Type",
            422 => "Unprocessable Content",
            429 => "Too Many Requests",
            503 => "Service Unavailable",
            _ => "Internal Server Error",
        }
    }
}
