;;; glossator-lsp-mode.el --- Glossator with lsp-mode  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Glossator runs beside the language's own server, as an add-on.

;;; Code:

(require 'cl-lib)
(require 'lsp-mode)
(require 'glossator)

;;;###autoload
(defun glossator-lsp-mode-setup ()
  "Let it be started as an add-on in the modes of `glossator-modes'."
  (interactive)
  (lsp-register-client
   (make-lsp-client
    :new-connection (lsp-stdio-connection (lambda () glossator-command)
                                          #'glossator-lsp-mode--is-there)
    :major-modes glossator-modes
    :priority -1
    :add-on? t
    :server-id 'glossator
    :initialization-options #'glossator-lsp-mode--initialization-options
    :notification-handlers (glossator-lsp-mode--table
                            "$/progress" #'glossator-lsp-mode--handle-progress)
    :action-handlers (glossator-lsp-mode--table
                      "glossator.explain" #'glossator-lsp-mode--show-action
                      "glossator.callChain" #'glossator-lsp-mode--show-action
                      "glossator.explainProblem" #'glossator-lsp-mode--show-action)))
  (add-hook 'glossator-server-functions #'glossator-lsp-mode--server)
  (add-hook 'lsp-after-uninitialized-functions #'glossator-lsp-mode--hear-of-end)
  (add-hook 'lsp-after-open-hook #'glossator-lsp-mode--show-mode))

(defun glossator-lsp-mode--show-mode ()
  "Show the menu in buffers that Glossator manages."
  (glossator-mode (if (glossator-lsp-mode--server) 1 -1)))

(defun glossator-lsp-mode--hear-of-end (workspace)
  "Answer what is owed by WORKSPACE, which has ended: nobody else does."
  (glossator-fail-running
   workspace
   (glossator-say "the server ended; M-x lsp starts it again, the buffer *glossator::stderr* has \
its last words" "服务器已退出；M-x lsp 重新启动，日志在 *glossator::stderr* 缓冲区中")))

(defun glossator-lsp-mode--table (&rest pairs)
  "Return a hash table with PAIRS of keys and values."
  (let ((table (make-hash-table :test 'equal)))
    (cl-loop for (key value) on pairs by #'cddr do (puthash key value table))
    table))

(defun glossator-lsp-mode--is-there ()
  "Say whether the server can be started, and what to do when it cannot."
  (let ((missing (glossator-explain-missing-command)))
    (when missing
      (message "Glossator: %s" missing))
    (not missing)))

(defun glossator-lsp-mode--initialization-options ()
  "Return Glossator's options for the workspace of this buffer."
  (glossator-initialization-options (lsp-workspace-root)))

(defun glossator-lsp-mode--server ()
  "Return the Glossator workspace of this buffer, or nil."
  (cl-find 'glossator (lsp-workspaces)
           :key (lambda (workspace)
                  (lsp--client-server-id (lsp--workspace-client workspace)))))

(defun glossator-lsp-mode--to-plist (value)
  "Return VALUE with property lists for hash tables."
  (cond ((hash-table-p value)
         (let (plist)
           (maphash (lambda (key inner)
                      (setq plist (cons (intern (concat ":" key))
                                        (cons (glossator-lsp-mode--to-plist inner) plist))))
                    value)
           plist))
        ((vectorp value) (cl-map 'vector #'glossator-lsp-mode--to-plist value))
        (t value)))

(cl-defmethod glossator-roots ((workspace lsp--workspace))
  "Return the folder of WORKSPACE."
  (list (lsp--workspace-root workspace)))

;; lsp-mode 8 says nothing of encodings and gets the protocol's default.
(cl-defmethod glossator-encoding ((workspace lsp--workspace))
  "Return the unit that WORKSPACE and its client agree on."
  (or (plist-get (glossator-lsp-mode--to-plist
                  (lsp--workspace-server-capabilities workspace))
                 :positionEncoding)
      "utf-16"))

(cl-defmethod glossator-problems ((workspace lsp--workspace))
  "Return what is reported on the line of point, in units of WORKSPACE.
All servers count, and the other backends of Flymake."
  (append
   (cl-loop with line = (1- (line-number-at-pos nil t))
            for each in (mapcar #'glossator-lsp-mode--to-plist (lsp--get-buffer-diagnostics))
            for range = (plist-get each :range)
            when (<= (plist-get (plist-get range :start) :line) line
                     (plist-get (plist-get range :end) :line))
            collect (glossator-select-problem each))
   (glossator-flymake-problems
    workspace
    (lambda (diagnostic)
      (not (eq 'lsp-diagnostics--flymake-backend (flymake-diagnostic-backend diagnostic)))))))

(cl-defmethod glossator-send ((workspace lsp--workspace) params on-result on-error)
  "Send WORKSPACE the command in PARAMS; ON-RESULT or ON-ERROR gets what comes."
  (with-lsp-workspace workspace
    (lsp-request-async
     "workspace/executeCommand" params
     (lambda (result) (funcall on-result (glossator-lsp-mode--to-plist result)))
     :mode 'detached
     :error-handler (lambda (failure)
                      (funcall on-error (plist-get (glossator-lsp-mode--to-plist failure)
                                                   :message))))))

(cl-defmethod glossator-restart-server ((workspace lsp--workspace))
  "Start WORKSPACE again."
  (lsp-workspace-restart workspace))

(cl-defmethod glossator-choose-action ((_workspace lsp--workspace) kind)
  "Choose among the code actions of KIND at point."
  (lsp-execute-code-action (lsp--select-action (glossator-lsp-mode--find-actions kind))))

(defun glossator-lsp-mode--find-actions (kind)
  "Return the code actions of KIND at point."
  (or (lsp-code-actions-at-point kind)
      (user-error "%s" (glossator-say "There is no such action here" "此处没有这样的操作"))))

(cl-defmethod glossator-notify ((workspace lsp--workspace) method params)
  "Send WORKSPACE the notification METHOD with PARAMS."
  (with-lsp-workspace workspace
    (lsp-notify method params)))

(defun glossator-lsp-mode--handle-progress (workspace params)
  "Take the events of answers in PARAMS.
Other progress of WORKSPACE is left to the client."
  (let ((progress (glossator-lsp-mode--to-plist params)))
    (unless (glossator-handle-progress (plist-get progress :token) (plist-get progress :value))
      (funcall lsp-progress-function workspace params))))

(defun glossator-lsp-mode--show-action (action)
  "Show the answer of ACTION's command."
  (let* ((command (glossator-lsp-mode--to-plist action))
         (name (plist-get command :command)))
    (glossator-show-command (glossator-lsp-mode--server) name
                            (elt (plist-get command :arguments) 0)
                            (glossator-title-of-action name))))

(provide 'glossator-lsp-mode)
;;; glossator-lsp-mode.el ends here
