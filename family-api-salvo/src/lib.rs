//! Mounts a family integration API as HTTP routes in any salvo app.
