// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes everything on to another response, and is no {@code ServletResponseWrapper}: containers unwrap those. Tomcat 11
 * closes the innermost response after a forward, and every Tomcat slips its own response under the wrappers of an include;
 * either would go past a response that holds back what it is given. Numbers and dates are passed on as the texts they are.
 */
abstract class DelegatingResponse implements HttpServletResponse {

    private final HttpServletResponse response;

    DelegatingResponse(HttpServletResponse response) {
        this.response = response;
    }

    /** Where everything goes. */
    HttpServletResponse real() {
        return response;
    }

    @Override
    public void addCookie(Cookie cookie) {
        response.addCookie(cookie);
    }

    @Override
    public boolean containsHeader(String name) {
        return response.containsHeader(name);
    }

    @Override
    public String encodeURL(String url) {
        return response.encodeURL(url);
    }

    @Override
    public String encodeRedirectURL(String url) {
        return response.encodeRedirectURL(url);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        response.sendError(status, message);
    }

    @Override
    public void sendError(int status) throws IOException {
        response.sendError(status);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        response.sendRedirect(location);
    }

    /** Called on containers of Servlet 6.1 only; so are the shorter forms, which by default end up here. */
    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        response.sendRedirect(location, status, clearBuffer);
    }

    @Override
    public void setDateHeader(String name, long date) {
        setHeader(name, HttpDates.format(date));
    }

    @Override
    public void addDateHeader(String name, long date) {
        addHeader(name, HttpDates.format(date));
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        response.setHeader(name, value);
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        response.addHeader(name, value);
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public void setStatus(int status) {
        response.setStatus(status);
    }

    @Override
    public int getStatus() {
        return response.getStatus();
    }

    @Override
    public @Nullable String getHeader(String name) {
        return response.getHeader(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return response.getHeaders(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return response.getHeaderNames();
    }

    @Override
    public void setTrailerFields(Supplier<Map<String, String>> fields) {
        response.setTrailerFields(fields);
    }

    @Override
    public @Nullable Supplier<Map<String, String>> getTrailerFields() {
        return response.getTrailerFields();
    }

    @Override
    public String getCharacterEncoding() {
        return response.getCharacterEncoding();
    }

    @Override
    public @Nullable String getContentType() {
        return response.getContentType();
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        return response.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        return response.getWriter();
    }

    @Override
    public void setCharacterEncoding(@Nullable String encoding) {
        response.setCharacterEncoding(encoding);
    }

    @Override
    public void setContentLength(int length) {
        response.setContentLength(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        response.setContentLengthLong(length);
    }

    @Override
    public void setContentType(@Nullable String type) {
        response.setContentType(type);
    }

    @Override
    public void setBufferSize(int size) {
        response.setBufferSize(size);
    }

    @Override
    public int getBufferSize() {
        return response.getBufferSize();
    }

    @Override
    public void flushBuffer() throws IOException {
        response.flushBuffer();
    }

    @Override
    public void resetBuffer() {
        response.resetBuffer();
    }

    @Override
    public boolean isCommitted() {
        return response.isCommitted();
    }

    @Override
    public void reset() {
        response.reset();
    }

    @Override
    public void setLocale(Locale locale) {
        response.setLocale(locale);
    }

    @Override
    public Locale getLocale() {
        return response.getLocale();
    }
}
